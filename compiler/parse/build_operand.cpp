// What an expression is made of: literals, names, brackets, and what may follow them.
#include "parse/build.h"

#include "parse/literal.h"

namespace pto {

/// An operand without its prefixes and suffixes.
ast::Expr *Builder::primary(PtoParser::OperandContext &context) {
  if (context.literal)
    return literal(*context.literal);
  if (!context.named)
    return context.inner ? bracketed(*context.inner) : nullptr;
  auto *node = file_.make<ast::NameExpr>(range(*context.named));
  node->name = text(context.named);
  return node;
}

ast::Expr *Builder::bracketed(PtoParser::BracketedContext &context) {
  SourceRange at = range(context);
  if (context.session) {
    auto *node = file_.make<ast::SessionExpr>(at);
    node->engine = text(context.engine);
    node->arguments = arguments(context.given);
    return node;
  }
  if (context.list && context.over && !context.elements.empty()) {
    auto *node = file_.make<ast::ListOverExpr>(at);
    node->element = value(context.elements.front());
    node->name = text(context.over->bound);
    node->low = expr(context.over->low);
    node->high = expr(context.over->high);
    return node;
  }
  if (context.list) {
    auto *node = file_.make<ast::ListExpr>(at);
    node->elements = values(context.elements);
    return node;
  }
  return parenthesised(context);
}

ast::Expr *Builder::literal(const Token &token) {
  SourceRange at = range(token);
  switch (token.getType()) {
  case PtoParser::INT: {
    if (!isQuiet())
      checkInteger(sources_, at, sink_);
    auto *node = file_.make<ast::IntegerLiteral>(at);
    node->text = text(&token);
    return node;
  }
  case PtoParser::FLOAT: {
    if (!isQuiet())
      checkFloat(sources_, at, sink_);
    auto *node = file_.make<ast::FloatLiteral>(at);
    node->text = text(&token);
    return node;
  }
  case PtoParser::TRUE:
  case PtoParser::FALSE: {
    auto *node = file_.make<ast::BoolLiteral>(at);
    node->value = token.getType() == PtoParser::TRUE;
    return node;
  }
  default: {
    bool hasEscapes =
        token.getType() == PtoParser::STRING || token.getType() == PtoParser::OPEN_STRING;
    if (!isQuiet() && hasEscapes)
      checkString(sources_, at, sink_);
    auto *node = file_.make<ast::StringLiteral>(at);
    node->text = text(&token);
    return node;
  }
  }
}

/// One expression in parentheses is itself; a comma makes a tuple.
ast::Expr *Builder::parenthesised(PtoParser::BracketedContext &context) {
  if (context.elements.empty())
    return nullptr;
  if (context.commas.empty())
    return value(context.elements.front());
  auto *node = file_.make<ast::TupleExpr>(range(context));
  node->elements = values(context.elements);
  return node;
}

ast::Expr *Builder::suffix(ast::Expr *base, PtoParser::SuffixContext &context, SourceRange whole) {
  if (context.call) {
    auto *node = file_.make<ast::CallExpr>(whole);
    node->callee = base;
    node->arguments = arguments(context.call);
    return node;
  }
  if (context.member) {
    auto *node = file_.make<ast::MemberExpr>(whole);
    node->base = base;
    node->name = text(context.member);
    return node;
  }
  if (context.peer) {
    auto *node = file_.make<ast::AtExpr>(whole);
    node->base = base;
    node->peer = peer(context);
    return node;
  }
  auto *node = file_.make<ast::SubscriptExpr>(whole);
  node->base = base;
  node->subscripts = list<ast::Part>(
      context.subscripts, [this](PtoParser::SubscriptContext &one) { return subscript(one); });
  return node;
}

ast::Expr *Builder::peer(PtoParser::SuffixContext &context) {
  if (context.peerNumber)
    return literal(*context.peerNumber);
  if (!context.peerName)
    return expr(context.peerValue);
  auto *node = file_.make<ast::NameExpr>(range(*context.peerName));
  node->name = text(context.peerName);
  return node;
}

llvm::ArrayRef<ast::Part *> Builder::arguments(PtoParser::ArgumentsContext *context) {
  if (!context)
    return {};
  // The list is a node between the call and what it is called with.
  Descent level = descend(1, *context);
  if (level.isTooDeep())
    return {};
  return list<ast::Part>(context->values,
                         [this](PtoParser::ArgumentContext &one) { return argument(one); });
}

ast::Part *Builder::argument(PtoParser::ArgumentContext &context) {
  auto *node = file_.make<ast::Argument>(range(context));
  if (!context.given) {
    node->value = context.map ? map(*context.map) : expr(context.first);
    return node;
  }
  bool isName = context.first->start == context.first->stop &&
                llvm::isa_and_nonnull<ast::NameExpr>(expr(context.first));
  if (isName)
    node->name = text(context.first);
  else
    badForm(range(*context.first),
            "before `=` in a call stands the name of a parameter; to compare, write `==`");
  node->value = value(context.given);
  return node;
}

ast::Part *Builder::subscript(PtoParser::SubscriptContext &context) {
  SourceRange at = range(context);
  if (!context.range) {
    auto *node = file_.make<ast::Index>(at);
    node->index = expr(context.low);
    return node;
  }
  auto *node = file_.make<ast::Slice>(at);
  node->low = expr(context.low);
  node->high = expr(context.high);
  node->step = expr(context.stride);
  return node;
}

ast::Expr *Builder::map(PtoParser::MapLiteralContext &context) {
  Descent level = descend(2, context);
  if (level.isTooDeep())
    return nullptr;
  auto *node = file_.make<ast::MapExpr>(range(context));
  node->entries = list<ast::Part>(context.entries, [this](PtoParser::MapEntryContext &entry) {
    auto *part = file_.make<ast::MapEntry>(range(entry));
    part->key = unquoted(entry.key);
    part->value = value(entry.given);
    return part;
  });
  return node;
}

} // namespace pto
