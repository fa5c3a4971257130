#include "parse/lex.h"
#include "parse/parse.h"

#include "grammar/PtoLexer.h"

#include "llvm/ADT/StringExtras.h"

namespace pto {

namespace {
/// Readable in any language: only what would break the line or the quotes is escaped.
void printQuoted(llvm::raw_ostream &out, llvm::StringRef text) {
  out << '"';
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      out << "\\n";
    else if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (byte < 0x20 || byte == 0x7f)
      out << "\\x" << llvm::hexdigit(byte >> 4) << llvm::hexdigit(byte & 15);
    else
      out << c;
  }
  out << '"';
}
} // namespace

void dumpTokens(llvm::raw_ostream &out, const Sources &sources, FileId file) {
  llvm::StringRef text = sources.text(file);
  lex(text, [&](const LexedToken &token) {
    // A comment that is never closed reaches to the end of the text, and is worth a line.
    bool isShown =
        token.channel != PtoLexer::SPACES && (token.type != antlr4::Token::EOF || token.inComment);
    if (!isShown)
      return true;
    LineColumn at = sources.lineColumn(file, token.begin);
    out << at.line << ':' << at.column << ' '
        << (token.inComment ? "OPEN_COMMENT" : tokenKind(token.type)) << ' ';
    printQuoted(out, text.slice(token.begin, token.end));
    out << '\n';
    return true;
  });
}

} // namespace pto
