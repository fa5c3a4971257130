#include "diag/render.h"

#include "llvm/ADT/StringExtras.h"

namespace pto {

/// The line of a place with its caret, if the text is loaded.
static void renderCaret(llvm::raw_ostream &out, const Sources &sources, const Place &place) {
  FileId file = sources.find(place.file);
  if (file == FileId::None || place.line == 0)
    return;
  llvm::StringRef line = sources.lineText(file, place.line);
  if (line.size() + 1 < place.column)
    return;
  // Long lines are cut to a window around the caret, so that machine-made input stays readable.
  constexpr size_t kWindow = 160;
  size_t column = place.column - 1;
  size_t from = column > kWindow / 2 && line.size() > kWindow ? column - kWindow / 2 : 0;
  llvm::StringRef shown = line.substr(from, kWindow);
  // What is no UTF-8 would garble the terminal; then every byte is a character of its own.
  const bool isUtf8 = llvm::json::isUTF8(shown);
  for (unsigned char c : shown)
    out << char(c < 0x20 || c == 0x7F ? ' ' : c >= 0x80 && !isUtf8 ? '?' : c);
  out << '\n';
  // One column a character, not a byte: continuation bytes of UTF-8 take no room.
  auto isLead = [&](char c) { return !isUtf8 || ((unsigned char)c & 0xC0) != 0x80; };
  for (char c : shown.take_front(column - from))
    if (isLead(c))
      out << ' ';
  out << '^';
  unsigned marked = 0;
  for (char c : shown.substr(column - from, place.length))
    if (isLead(c) && marked++ > 0)
      out << '~';
  out << '\n';
}

static void renderPlace(llvm::raw_ostream &out, const Place &place) {
  if (place.file.empty())
    out << "<command line>";
  else
    out << place.file;
  if (place.line != 0)
    out << ':' << place.line << ':' << place.column;
  out << ": ";
}

static void renderAgent(llvm::raw_ostream &out, const Site &site) {
  if (site.rank < 0)
    return;
  out << "rank " << site.rank;
  if (site.block >= 0)
    out << " block " << site.block;
  if (site.timePs >= 0)
    out << llvm::format(" at %.3f us", double(site.timePs) / 1e6);
  out << ": ";
}

void renderText(llvm::raw_ostream &out, const Sources &sources, const Finding &finding) {
  const Site &primary = finding.sites.front();
  renderPlace(out, primary.place);
  out << name(finding.severity) << ": ";
  renderAgent(out, primary);
  out << finding.message << " [" << info(finding.rule).slug << "]\n";
  renderCaret(out, sources, primary.place);
  for (const std::string &line : finding.details)
    out << "  " << line << '\n';
  for (const Site &site : llvm::ArrayRef(finding.sites).drop_front()) {
    renderPlace(out, site.place);
    out << "note: ";
    renderAgent(out, site);
    out << site.role << '\n';
    renderCaret(out, sources, site.place);
  }
  for (const Fix &fix : finding.fixes)
    out << "   fix: " << fix.label << '\n';
  if (finding.severity == Severity::Note)
    return;
  out << "   why: " << info(finding.rule).why << '\n';
  out << "  mend: " << finding.mend << '\n';
}

void renderText(llvm::raw_ostream &out, const Sources &sources, llvm::ArrayRef<Finding> findings) {
  for (const Finding &finding : findings)
    renderText(out, sources, finding);
}

/// Text from hostile files may hold broken UTF-8; JSON must not.
static std::string utf8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

llvm::json::Object toJson(const Finding &finding) {
  llvm::json::Array sites, notes, fixes;
  for (const Site &site : finding.sites) {
    llvm::json::Object row{{"file", utf8(site.place.file)},
                           {"line", int64_t(site.place.line)},
                           {"column", int64_t(site.place.column)},
                           {"role", utf8(site.role)}};
    if (site.rank >= 0)
      row["rank"] = site.rank;
    if (site.block >= 0)
      row["block"] = site.block;
    if (site.timePs >= 0)
      row["time_ps"] = site.timePs;
    sites.push_back(std::move(row));
  }
  for (const std::string &line : finding.details)
    notes.push_back(utf8(line));
  for (const Fix &fix : finding.fixes)
    fixes.push_back(llvm::json::Object{{"file", utf8(fix.file)},
                                       {"begin", int64_t(fix.begin)},
                                       {"end", int64_t(fix.end)},
                                       {"text", utf8(fix.text)},
                                       {"label", utf8(fix.label)}});
  return llvm::json::Object{{"slug", info(finding.rule).slug},
                            {"kind", name(info(finding.rule).kind)},
                            {"severity", name(finding.severity)},
                            {"message", utf8(finding.message)},
                            {"sites", std::move(sites)},
                            {"notes", std::move(notes)},
                            {"fixes", std::move(fixes)},
                            {"explain", ("pto explain " + info(finding.rule).slug).str()}};
}

} // namespace pto
