// What all constructs share: ranges and texts, attributes, documentation.
#include "parse/build.h"

#include "parse/literal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace pto {

Descent Builder::descend(size_t levels, const Context &context) {
  return {depth_, levels, range(context), isQuiet() ? nullptr : &sink_};
}

void Builder::badForm(SourceRange at, StringRef text) {
  if (!isQuiet())
    sink_.report<Rule::BadForm>(at, text);
}

SourceRange Builder::range(const Token &token) const {
  const auto &source = static_cast<const SourceToken &>(token);
  return {file_.source, source.begin, source.end};
}

/// A context that the parser left before its first token has its end before its start.
SourceRange Builder::range(const Context &context) const {
  SourceRange start = range(*context.start);
  return context.stop ? start.to(range(*context.stop)) : start;
}

SourceRange Builder::range(const Context &first, const Context &last) const {
  return range(first).to(range(last));
}

StringRef Builder::text(const Token *token) const {
  return token ? sources_.text(range(*token)) : StringRef();
}

StringRef Builder::text(const Context *context) const {
  return context ? sources_.text(range(*context)) : StringRef();
}

/// The tokens of a dotted name without the spaces and comments that may stand between them.
StringRef Builder::joined(const Context *context) {
  StringRef asWritten = text(context);
  if (llvm::all_of(asWritten, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }))
    return asWritten;
  std::string name;
  for (size_t i = context->start->getTokenIndex(); i <= context->stop->getTokenIndex(); ++i)
    name += text(&scanned_.tokens[i]);
  return file_.copy(StringRef(name));
}

/// The inside of a quoted text; its escapes are checked here and decoded later.
StringRef Builder::unquoted(const Token *string) {
  if (!string)
    return {};
  if (!isQuiet())
    checkString(sources_, range(*string), sink_);
  StringRef inside = text(string);
  inside.consume_front("\"");
  inside.consume_back("\"");
  return inside;
}

/// The `///` lines that end on the line before `begin`, from the first to the last.
StringRef Builder::docBefore(uint32_t begin) const {
  StringRef text = sources_.text(file_.source);
  auto last =
      llvm::partition_point(scanned_.docs, [&](SourceRange doc) { return doc.end <= begin; });
  uint32_t docBegin = begin, docEnd = begin;
  while (last != scanned_.docs.begin()) {
    --last;
    StringRef between = text.slice(last->end, docBegin);
    if (!between.trim().empty() || between.count('\n') != 1)
      break;
    docEnd = docBegin == begin ? last->end : docEnd;
    docBegin = last->begin;
  }
  return text.slice(docBegin, docEnd);
}

llvm::ArrayRef<ast::Allow *>
Builder::allows(llvm::ArrayRef<PtoParser::AttributeContext *> contexts) {
  llvm::SmallVector<ast::Allow *, 2> nodes;
  for (PtoParser::AttributeContext *context : contexts)
    if (ast::Allow *node = allow(*context))
      nodes.push_back(node);
  return file_.copy(llvm::ArrayRef<ast::Allow *>(nodes));
}

ast::Allow *Builder::allow(PtoParser::AttributeContext &context) {
  if (!context.kind || !context.rule_)
    return nullptr;
  if (text(context.kind) != "allow") {
    badForm(range(*context.kind),
            llvm::formatv("there is no attribute `{0}`; there is `#[allow(slug, \"why\")]`",
                          text(context.kind))
                .str());
    return nullptr;
  }
  if (!context.reason)
    badForm(range(context), "an `allow` says why: `#[allow(slug, \"why\")]`");
  auto *node = file_.make<ast::Allow>(range(context));
  node->slug = joined(context.rule_);
  node->reason = unquoted(context.reason);
  return node;
}

} // namespace pto
