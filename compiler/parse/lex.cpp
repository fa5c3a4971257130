#include "parse/lex.h"

#include "parse/byte_stream.h"

#include "grammar/PtoLexer.h"

namespace pto {

namespace {
/// The generated lexer makes an object for each token; a kernel file has more tokens than anything
/// else, so this hands out their numbers instead.
class TokenLexer final : public PtoLexer {
public:
  TokenLexer(ByteStream *bytes, llvm::function_ref<bool(const LexedToken &)> visit)
      : PtoLexer(bytes), visit_(visit) {
    removeErrorListeners();
  }

  void run() {
    while (goesOn_)
      nextToken();
  }

  antlr4::Token *emit() override {
    visit(type);
    return nullptr;
  }
  antlr4::Token *emitEOF() override {
    if (goesOn_)
      visit(antlr4::Token::EOF);
    return nullptr;
  }

private:
  void visit(size_t type) {
    bool inComment = type == antlr4::Token::EOF && mode != DEFAULT_MODE;
    LexedToken token{type, channel, uint32_t(tokenStartCharIndex), uint32_t(getCharIndex()),
                     inComment};
    goesOn_ = visit_(token) && type != antlr4::Token::EOF;
  }

  llvm::function_ref<bool(const LexedToken &)> visit_;
  bool goesOn_ = true;
};
} // namespace

void lex(llvm::StringRef text, llvm::function_ref<bool(const LexedToken &)> visit) {
  bool hasByteOrderMark = text.starts_with("\xEF\xBB\xBF");
  ByteStream bytes(text, hasByteOrderMark ? 3 : 0);
  TokenLexer(&bytes, visit).run();
}

namespace {
struct Spellings {
  std::vector<std::string> kinds, literals;
  Spellings() {
    ByteStream none("");
    PtoLexer lexer(&none);
    const antlr4::dfa::Vocabulary &vocabulary = lexer.getVocabulary();
    for (size_t type = 0; type <= vocabulary.getMaxTokenType(); ++type) {
      kinds.push_back(vocabulary.getSymbolicName(type));
      literals.push_back(llvm::StringRef(vocabulary.getLiteralName(type)).trim('\'').str());
    }
  }
};
const Spellings &spellings() {
  static const Spellings kAll;
  return kAll;
}
} // namespace

llvm::StringRef tokenKind(size_t type) {
  const auto &kinds = spellings().kinds;
  return type < kinds.size() ? llvm::StringRef(kinds[type]) : "EOF";
}

llvm::StringRef tokenSpelling(size_t type) {
  const auto &literals = spellings().literals;
  return type < literals.size() ? llvm::StringRef(literals[type]) : "";
}

} // namespace pto
