#include "parse/parse.h"

#include "parse/build.h"
#include "parse/syntax_errors.h"
#include "parse/text_guard.h"

namespace pto {

namespace {
bool mayBeginItem(size_t token) {
  return isItemKeyword(token) || token == PtoParser::HASH || token == PtoParser::SEMI;
}

/// Item by item: the parse tree of one is freed when its nodes are made, which keeps a long file
/// in the cache.
void parseItems(const Sources &sources, ScannedText &scanned, Sink &sink, ast::File &file) {
  PtoParser parser(&scanned.tokens);
  auto errors = std::make_shared<SyntaxErrors>(sources, file.source, scanned, sink);
  parser.removeErrorListeners();
  parser.setErrorHandler(errors);
  // The contexts name their children; the general tree of all tokens would only cost time.
  parser.setBuildParseTree(false);

  Builder builder(sources, scanned, sink, file);
  std::vector<ast::Item *> items;
  try {
    while (scanned.tokens.LA(1) != antlr4::Token::EOF && !builder.isQuiet()) {
      if (!mayBeginItem(scanned.tokens.LA(1))) {
        errors->skipStrayText();
        continue;
      }
      errors->beginItem();
      if (ast::Item *item = builder.item(*parser.item()))
        items.push_back(item);
      parser.getTreeTracker().reset();
    }
  } catch (const antlr4::ParseCancellationException &) {
    // Thrown by SyntaxErrors alone, after so many errors that more would not help.
    file.isBroken = true;
  }
  file.items = file.copy(llvm::ArrayRef<ast::Item *>(items));
}
} // namespace

std::unique_ptr<ast::File> parse(const Sources &sources, FileId id, Sink &sink) {
  auto file = std::make_unique<ast::File>();
  file->source = id;
  unsigned errorsBefore = sink.errorCount();
  if (guardText(sources, id, sink)) {
    ScannedText scanned;
    scan(sources, id, sink, scanned);
    if (scanned.tokens.size() == 1 && sink.errorCount() == errorsBefore)
      sink.report<Rule::EmptyFile>(SourceRange{id, 0, 0});
    else if (!scanned.isRefused)
      parseItems(sources, scanned, sink, *file);
  }
  file->isBroken |= sink.errorCount() != errorsBefore;
  return file;
}

} // namespace pto
