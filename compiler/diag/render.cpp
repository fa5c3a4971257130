#include "diag/render.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace pto {

/// Bytes of a line that are shown at most.
static constexpr size_t kWindow = 160;

/// A piece of source text on a line of its own. What is no UTF-8 would garble the terminal; then
/// every byte is a character of its own, and the answer is false.
static bool renderCharacters(llvm::raw_ostream &out, llvm::StringRef shown) {
  const bool isUtf8 = llvm::json::isUTF8(shown);
  for (unsigned char c : shown)
    out << char(c < 0x20 || c == 0x7F ? ' ' : c >= 0x80 && !isUtf8 ? '?' : c);
  out << '\n';
  return isUtf8;
}

/// The line of a place with its caret, if the text is loaded.
static void renderCaret(llvm::raw_ostream &out, const Sources &sources, const Place &place) {
  FileId file = sources.find(place.file);
  if (file == FileId::None || place.line == 0)
    return;
  llvm::StringRef line = sources.lineText(file, place.line);
  if (line.size() + 1 < place.column)
    return;
  // Long lines are cut to a window around the caret, so that machine-made input stays readable.
  size_t column = place.column - 1;
  size_t from = column > kWindow / 2 && line.size() > kWindow ? column - kWindow / 2 : 0;
  llvm::StringRef shown = line.substr(from, kWindow);
  const bool isUtf8 = renderCharacters(out, shown);
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

/// The lines that a fix changes, before and after.
static void renderFix(llvm::raw_ostream &out, const Sources &sources, const Fix &fix) {
  out << "   fix: " << fix.label << '\n';
  FileId file = sources.find(fix.file);
  if (file == FileId::None || fix.end > sources.text(file).size())
    return;
  llvm::StringRef text = sources.text(file);
  size_t begin = text.take_front(fix.begin).rfind('\n') + 1; // npos + 1 is 0.
  size_t end = std::min(text.find('\n', fix.end), text.size());
  std::string changed = (text.slice(begin, fix.begin) + fix.text + text.slice(fix.end, end)).str();
  llvm::SmallVector<llvm::StringRef> before, after;
  text.slice(begin, end).split(before, '\n');
  llvm::StringRef(changed).split(after, '\n');
  uint32_t line = sources.lineColumn(file, uint32_t(begin)).line;
  for (; !before.empty() && !after.empty() && before.front() == after.front(); ++line) {
    before.erase(before.begin());
    after.erase(after.begin());
  }
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    before.pop_back();
    after.pop_back();
  }
  auto show = [&](char sign, llvm::ArrayRef<llvm::StringRef> lines) {
    for (size_t i = 0; i != lines.size(); ++i) {
      out << llvm::right_justify(std::to_string(line + i), 6) << ' ' << sign << ' ';
      renderCharacters(out, lines[i].take_front(kWindow));
    }
  };
  show('-', before);
  show('+', after);
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
    out << " at " << timeText(site.timePs);
  out << ": ";
}

std::string timeText(int64_t ps) { return llvm::formatv("{0:F3} us", double(ps) / 1e6).str(); }

/// Empty: the cause was met once.
static std::string againText(const Finding &finding) {
  if (finding.again == 0)
    return "";
  return "the same cause was met " + std::to_string(finding.again) + " more time" +
         (finding.again == 1 ? "" : "s");
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
  if (finding.again != 0)
    out << "  " << againText(finding) << '\n';
  for (const Fix &fix : finding.fixes)
    renderFix(out, sources, fix);
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
  if (finding.again != 0)
    notes.push_back(againText(finding));
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
