//===- build.h - parse tree to syntax tree ----------------------*- C++ -*-===//
//
// The grammar reads some constructs flat or too generously, so that one token decides everything;
// the builder gives them their shape and refuses what the grammar let pass. Contexts of broken text
// lack parts: every function takes a null and answers null.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PARSE_BUILD_H
#define PTO_PARSE_BUILD_H

#include "parse/descent.h"
#include "parse/scan.h"

#include "ast/node.h"
#include "grammar/PtoParser.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace pto {

class Builder {
public:
  Builder(const Sources &sources, const ScannedText &scanned, Sink &sink, ast::File &file)
      : sources_(sources), scanned_(scanned), sink_(sink), file_(file),
        quietFrom_(sink.errorCount() + kMaxErrors) {}

  /// The item of a context, or null if too little of it could be read.
  ast::Item *item(PtoParser::ItemContext &context);
  /// Whether there were so many errors that more are not worth their time.
  [[nodiscard]] bool isQuiet() const { return sink_.errorCount() >= quietFrom_; }

private:
  using Context = antlr4::ParserRuleContext;
  using Token = antlr4::Token;

  // build.cpp
  [[nodiscard]] SourceRange range(const Token &token) const;
  [[nodiscard]] SourceRange range(const Context &context) const;
  [[nodiscard]] SourceRange range(const Context &first, const Context &last) const;
  [[nodiscard]] llvm::StringRef text(const Token *token) const;
  [[nodiscard]] llvm::StringRef text(const Context *context) const;
  [[nodiscard]] llvm::StringRef joined(const Context *context);
  [[nodiscard]] llvm::StringRef unquoted(const Token *string);
  [[nodiscard]] llvm::StringRef docBefore(uint32_t begin) const;
  llvm::ArrayRef<ast::Allow *> allows(llvm::ArrayRef<PtoParser::AttributeContext *> contexts);
  ast::Allow *allow(PtoParser::AttributeContext &context);
  [[nodiscard]] Descent descend(size_t levels, const Context &context);
  void badForm(SourceRange at, llvm::StringRef text);

  // build_item.cpp
  ast::Item *importItem(PtoParser::ImportItemContext &context);
  ast::Item *constItem(PtoParser::ConstItemContext &context);
  ast::Item *windowItem(PtoParser::WindowItemContext &context);
  ast::Item *fnItem(PtoParser::FnItemContext &context);
  ast::Item *kernelItem(PtoParser::KernelItemContext &context);
  ast::Item *hostItem(PtoParser::HostItemContext &context);
  ast::Item *testItem(PtoParser::TestItemContext &context);
  llvm::ArrayRef<ast::Part *> generics(PtoParser::GenericListContext *context);
  llvm::ArrayRef<ast::Part *> params(PtoParser::ParamsContext *context);
  llvm::ArrayRef<ast::Part *> settings(PtoParser::SettingsContext *context);
  void straySemicolon(const Token &token);

  // build_statement.cpp, build_host.cpp
  ast::Stmt *block(PtoParser::BlockContext *context);
  ast::Stmt *statement(PtoParser::StatementContext &context);
  ast::Stmt *statementKind(PtoParser::StatementContext &context);
  ast::Stmt *letStatement(PtoParser::LetStatementContext &context);
  ast::Stmt *tileStatement(PtoParser::TileStatementContext &context);
  ast::Stmt *ifStatement(PtoParser::IfStatementContext &context);
  ast::Stmt *forStatement(PtoParser::ForStatementContext &context);
  ast::Stmt *whileStatement(PtoParser::WhileStatementContext &context);
  ast::Stmt *wordStatement(PtoParser::WordStatementContext &context);
  ast::Stmt *fillStatement(PtoParser::FillStatementContext &context);
  ast::Stmt *saveStatement(PtoParser::SaveStatementContext &context);
  ast::Stmt *launchStatement(PtoParser::LaunchStatementContext &context);
  ast::Stmt *expectStatement(PtoParser::ExpectStatementContext &context);
  ast::Stmt *operationStatement(PtoParser::OperationStatementContext &context);
  llvm::ArrayRef<ast::Expr *> after(llvm::ArrayRef<PtoParser::ClauseContext *> clauses);
  ast::Expr *from(llvm::ArrayRef<PtoParser::ClauseContext *> clauses, bool isAllowed);

  // build_expression.cpp
  ast::Expr *value(PtoParser::ValueContext *context);
  ast::Expr *expr(PtoParser::ExprContext *context);
  llvm::ArrayRef<ast::Expr *> exprs(llvm::ArrayRef<PtoParser::ExprContext *> contexts);
  llvm::ArrayRef<ast::Expr *> values(llvm::ArrayRef<PtoParser::ValueContext *> contexts);
  ast::Expr *climb(PtoParser::ExprContext &chain, size_t &at, unsigned minimum);
  ast::Expr *operand(PtoParser::OperandContext &context);

  // build_operand.cpp
  ast::Expr *primary(PtoParser::OperandContext &context);
  ast::Expr *bracketed(PtoParser::BracketedContext &context);
  ast::Expr *literal(const Token &token);
  ast::Expr *parenthesised(PtoParser::BracketedContext &context);
  ast::Expr *suffix(ast::Expr *base, PtoParser::SuffixContext &context, SourceRange whole);
  ast::Expr *peer(PtoParser::SuffixContext &context);
  llvm::ArrayRef<ast::Part *> arguments(PtoParser::ArgumentsContext *context);
  ast::Part *argument(PtoParser::ArgumentContext &context);
  ast::Part *subscript(PtoParser::SubscriptContext &context);
  ast::Expr *map(PtoParser::MapLiteralContext &context);

  // build_type.cpp
  ast::Type *type(PtoParser::TypeContext *context);

  /// A list of nodes, one for each context that gives one.
  template <typename Node, typename C, typename Make>
  llvm::ArrayRef<Node *> list(const std::vector<C *> &contexts, Make make) {
    llvm::SmallVector<Node *, 8> nodes;
    for (C *context : contexts)
      if (Node *node = context ? make(*context) : nullptr)
        nodes.push_back(node);
    return file_.copy(llvm::ArrayRef<Node *>(nodes));
  }

  /// Of the builder's own; a text of ten megabytes can have a million.
  static constexpr unsigned kMaxErrors = 50;

  const Sources &sources_;
  const ScannedText &scanned_;
  Sink &sink_;
  ast::File &file_;
  unsigned quietFrom_; ///< This many errors, and the builder has said enough.
  size_t depth_ = 0;   ///< Of the node that is being built.
};

/// The operator that a token spells, by the rows of base/operator.def.
[[nodiscard]] std::optional<ast::BinaryOp> binaryOp(size_t token);
[[nodiscard]] std::optional<ast::BinaryOp> assignOp(size_t token);
[[nodiscard]] std::optional<ast::UnaryOp> unaryOp(size_t token);

} // namespace pto

#endif
