#include "format/format.h"

#include "format/line.h"

#include "llvm/Support/raw_ostream.h"

namespace pto {

std::string format(llvm::StringRef text, const ast::File &file, llvm::ArrayRef<ast::Token> tokens) {
  Pieces pieces = readPieces(text, file, tokens);
  setSpaces(pieces);
  Lines lines = makeLines(pieces);
  align(lines);
  std::string result;
  llvm::raw_string_ostream out(result);
  for (const Line &line : lines) {
    if (line.followsGap)
      out << '\n';
    out.indent(line.indent) << line.code << line.comment << '\n';
  }
  return result;
}

} // namespace pto
