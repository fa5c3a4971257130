#include "driver/lay_out.h"

#include "format/format.h"
#include "parse/parse.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace pto {

/// Comments may move, and with them the white space at both ends of their lines.
static bool isSameComment(StringRef left, StringRef right) {
  while (!left.empty() || !right.empty()) {
    auto [leftLine, leftRest] = left.split('\n');
    auto [rightLine, rightRest] = right.split('\n');
    if (leftLine.trim() != rightLine.trim())
      return false;
    left = leftRest;
    right = rightRest;
  }
  return true;
}

static bool hasSameTokens(StringRef before, llvm::ArrayRef<ast::Token> tokens, StringRef after) {
  return llvm::equal(
      tokens, readTokens(after), [&](const ast::Token &left, const ast::Token &right) {
        StringRef leftText = before.slice(left.begin, left.end);
        StringRef rightText = after.slice(right.begin, right.end);
        bool isComment =
            left.kind == ast::TokenKind::LineComment || left.kind == ast::TokenKind::BlockComment;
        return left.kind == right.kind &&
               (leftText == rightText || (isComment && isSameComment(leftText, rightText)));
      });
}

std::optional<std::string> layOut(const Sources &sources, FileId id, Sink &sink) {
  std::unique_ptr<ast::File> file = parse(sources, id, sink);
  if (file->isBroken)
    return std::nullopt;
  StringRef text = sources.text(id);
  std::vector<ast::Token> tokens = readTokens(text);
  std::string laidOut = format(text, *file, tokens);
  PTO_CHECK(hasSameTokens(text, tokens, laidOut), "a layout has the tokens of its text");
  return laidOut;
}

} // namespace pto
