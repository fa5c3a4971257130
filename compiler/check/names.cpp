//===- names.cpp - what files declare: symbols, constants, objects ------------------===//

#include "ast/quoted.h"
#include "check/body.h"

#include "base/check.h"
#include "base/near.h"
#include "diag/fix.h"
#include "target/platform.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MathExtras.h"

namespace pto::check_detail {

GlobalSymbol *Checker::find(size_t unit, llvm::StringRef name) {
  auto found = scopes[unit].find(name);
  if (found == scopes[unit].end())
    return nullptr;
  found->second.isUsed = true;
  return &found->second;
}

/// The name of an item that declares one, and what it declares.
static std::pair<llvm::StringRef, GlobalSymbol::Kind> declared(const ast::Item &item) {
  switch (item.kind) {
  case ast::NodeKind::ConstItem:
    return {llvm::cast<ast::ConstItem>(&item)->name, GlobalSymbol::Kind::Const};
  case ast::NodeKind::WindowItem:
    return {llvm::cast<ast::WindowItem>(&item)->name, GlobalSymbol::Kind::Object};
  case ast::NodeKind::FnItem:
    return {llvm::cast<ast::FnItem>(&item)->name, GlobalSymbol::Kind::Fn};
  case ast::NodeKind::KernelItem:
    return {llvm::cast<ast::KernelItem>(&item)->name, GlobalSymbol::Kind::Kernel};
  default:
    return {"", GlobalSymbol::Kind::Const};
  }
}

void Checker::declare(size_t unit, const ast::Item &item) {
  auto [name, kind] = declared(item);
  if (name.empty())
    return;
  auto [entry, isNew] = scopes[unit].try_emplace(name);
  if (!isNew) {
    Finding &finding = sink.report<Rule::DuplicateName>(item.nameRange, name);
    if (entry->second.item)
      sink.note(finding, entry->second.item->nameRange, "the first one");
    return;
  }
  bool isWorldValue = name == "rank" || name == "ranks" || name == "block" || name == "blocks";
  if (intrinsicByName(name) || scalarTypeByName(name) || isWorldValue)
    sink.report<Rule::ShadowedInstruction>(item.nameRange, name);
  entry->second.kind = kind;
  entry->second.unit = unit;
  entry->second.item = &item;
  inOrder_.push_back(&entry->second);
}

void Checker::declareImports(size_t unit) {
  for (const auto &[alias, module, item] : units[unit].imports) {
    auto [entry, isNew] = scopes[unit].try_emplace(alias);
    if (!isNew)
      continue; // The driver reported a second import of one name.
    entry->second.kind = GlobalSymbol::Kind::Module;
    entry->second.unit = unit;
    entry->second.module = module;
  }
}

void reportUnknownRule(const Sources &sources, Sink &sink, SourceRange at, llvm::StringRef slug) {
  NearestName nearest(slug);
  for (const RuleInfo &row : rules())
    nearest.consider(row.slug);
  Finding &finding = sink.report<Rule::UnknownRule>(at, slug);
  if (nearest.best().empty())
    return;
  finding.details.push_back("did you mean `" + nearest.best() + "`?");
  size_t offset = sources.text(at).find(slug);
  if (offset == llvm::StringRef::npos)
    return;
  uint32_t begin = at.begin + uint32_t(offset);
  fixReplace(sources, finding, {at.file, begin, begin + uint32_t(slug.size())}, nearest.best());
}

/// `#[allow(slug, "why")]` of an item, and of every statement in it.
static void takeAllows(const Sources &sources, Sink &sink, llvm::ArrayRef<ast::Allow *> allows,
                       SourceRange range) {
  for (const ast::Allow *allow : allows) {
    if (std::optional<Rule> rule = ruleBySlug(allow->slug))
      sink.allow(*rule, range, allow->range);
    else
      reportUnknownRule(sources, sink, allow->range, allow->slug);
  }
}

namespace {
/// Walks a tree for the attributes of its statements.
struct AllowCollector {
  const Sources &sources;
  Sink &sink;
  void visit(const ast::Node *node) {
    if (!node)
      return;
    bool isStatement = ast::dispatch(*node, [](const auto &self) {
      return std::is_base_of_v<ast::Stmt, std::decay_t<decltype(self)>>;
    });
    if (!isStatement)
      return; // Expressions carry none.
    takeAllows(sources, sink, static_cast<const ast::Stmt *>(node)->allows, node->range);
    ast::forEachField(*node, *this);
  }
  void one(llvm::StringRef, const ast::Node *child) { visit(child); }
  template <typename T> void many(llvm::StringRef, llvm::ArrayRef<T *> children) {
    for (const ast::Node *child : children)
      visit(child);
  }
  void text(llvm::StringRef, llvm::StringRef) {}
  void flag(llvm::StringRef, bool) {}
  void op(llvm::StringRef, llvm::StringRef) {}
};
} // namespace

static const ast::Stmt *bodyOf(const ast::Item &item) {
  return ast::dispatch(item, [](const auto &self) -> const ast::Stmt * {
    if constexpr (requires { self.body; })
      return self.body;
    else
      return nullptr;
  });
}

void Checker::takeAllows(const ast::Item &item) {
  check_detail::takeAllows(sources, sink, item.allows, item.range);
  AllowCollector{sources, sink}.visit(bodyOf(item));
}

void Checker::declareAll() {
  for (size_t unit = 0; unit != units.size(); ++unit) {
    declareImports(unit);
    for (const ast::Item *item : units[unit].file->items) {
      takeAllows(*item);
      declare(unit, *item);
    }
  }
}

llvm::StringRef Checker::stringValue(const ast::StringLiteral &literal) {
  ast::Quoted written = ast::quoted(literal.text);
  return written.isRaw ? program->copy(written.inside) : unescape(written.inside);
}

llvm::StringRef Checker::unescape(llvm::StringRef from) {
  std::string out;
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] != '\\' || i + 1 == from.size()) {
      out += from[i];
      continue;
    }
    char escape = from[++i];
    if (escape == 'u') { // \u{…}, validated when parsing
      size_t close = from.find('}', i);
      unsigned code = 0;
      if (close == llvm::StringRef::npos || from.slice(i + 2, close).getAsInteger(16, code))
        continue;
      char bytes[4], *end = bytes;
      if (llvm::ConvertCodePointToUTF8(code, end))
        out.append(bytes, size_t(end - bytes));
      i = close;
      continue;
    }
    out += escape == 'n' ? '\n' : escape == 't' ? '\t' : escape;
  }
  return program->copy(out);
}

Expr *Checker::constant(GlobalSymbol &symbol) {
  const auto &item = *llvm::cast<ast::ConstItem>(symbol.item);
  Body body(*this, symbol.unit, nullptr, Side::Both);
  if (symbol.state == GlobalSymbol::State::InProgress) {
    sink.report<Rule::ConstantFault>(item.nameRange,
                                     "`" + item.name.str() + "` is defined by itself");
    return program->make<Expr>();
  }
  if (symbol.state == GlobalSymbol::State::Done)
    return symbol.constant;
  symbol.state = GlobalSymbol::State::InProgress;
  TypeAndFacts type = item.type ? body.resolve(item.type) : TypeAndFacts{};
  Expr *value = item.type ? body.checkAs(item.value, type.type) : body.check(item.value);
  bool isConstant = value->kind == ExprKind::Constant;
  if (!isConstant && !value->type.isError())
    sink.report<Rule::NotConstant>(value->range, "the value of `" + item.name.str() + "`");
  bool isMain = symbol.unit + 1 == units.size();
  auto define = isMain ? defines_.find(item.name) : defines_.end();
  if (isConstant && define != defines_.end()) {
    llvm::StringRef given = define->second;
    ScalarType scalar = value->type.scalar;
    std::optional<ScalarBits> bits = parseDefine(scalar, given);
    if (bits)
      value->bits = *bits;
    else
      sink.report<Rule::BadDefine>(item.nameRange, item.name.str() + "=" + given.str(),
                                   "`" + given.str() + "` is no " + info(scalar).name.str());
  }
  if (isConstant)
    value->isLiteral = false;
  symbol.constant = isConstant ? value : program->make<Expr>();
  symbol.state = GlobalSymbol::State::Done;
  return symbol.constant;
}

std::optional<ScalarBits> Checker::parseDefine(ScalarType type, llvm::StringRef text) {
  const ScalarInfo &row = info(type);
  if (row.kind == ScalarKind::Bool)
    return text == "true"    ? std::optional<ScalarBits>(1)
           : text == "false" ? std::optional<ScalarBits>(0)
                             : std::nullopt;
  double number = 0;
  if (row.isFloat())
    return text.getAsDouble(number) ? std::nullopt : std::optional(fromDouble(type, number));
  int64_t value = 0;
  uint64_t large = 0;
  ScalarBits bits = 0;
  if (!text.getAsInteger(0, value))
    bits = ScalarBits(value);
  else if (row.kind == ScalarKind::Unsigned && !text.getAsInteger(0, large))
    bits = large;
  else
    return std::nullopt;
  bool keeps = normalise(type, bits) == bits && (row.kind == ScalarKind::Signed || value >= 0);
  return keeps ? std::optional(bits) : std::nullopt;
}

void Checker::applyDefines() {
  for (const auto &[name, value] : options.defines) {
    GlobalSymbol *symbol = units.empty() ? nullptr : find(units.size() - 1, name);
    if (symbol && symbol->kind == GlobalSymbol::Kind::Const) {
      defines_[name] = value;
      continue;
    }
    Finding &finding = sink.report<Rule::BadDefine>(
        {}, name + "=" + value, "the file has no top-level `const " + name + "`");
    std::string names;
    for (const GlobalSymbol *candidate : inOrder_)
      if (candidate->kind == GlobalSymbol::Kind::Const && candidate->unit + 1 == units.size())
        names += (names.empty() ? "it has " : ", ") +
                 llvm::cast<ast::ConstItem>(candidate->item)->name.str();
    if (!names.empty())
      finding.details.push_back(names);
  }
}

void Checker::checkObjects() {
  for (GlobalSymbol *symbol : inOrder_) {
    if (symbol->kind == GlobalSymbol::Kind::Const)
      (void)constant(*symbol);
    else if (symbol->kind == GlobalSymbol::Kind::Object)
      checkObject(*symbol);
  }
}

/// The dimensions of an object: constants, and multiples of `ranks`.
static void takeShape(Checker &checker, Body &body, const ast::WindowItem &item,
                      const ViewFacts &written, Object &object) {
  constexpr int64_t kMost = int64_t(1) << 40;
  for (const Affine &size : written.shape) {
    auto linear = size.linearIn(body.ranksSymbol);
    if (!linear) {
      checker.sink.report<Rule::NotConstant>(item.type->range,
                                             "a dimension of `" + object.name + "`");
      linear = std::pair(int64_t(1), int64_t(0));
    }
    if (std::abs(linear->first) > kMost || std::abs(linear->second) > kMost)
      checker.sink.report<Rule::TooLarge>(item.type->range,
                                          "a dimension of `" + object.name + "` is beyond 2^40");
    object.shape.push_back({linear->second, linear->first});
  }
}

static void takeAlign(Checker &checker, Body &body, const ast::WindowItem &item, Object &object) {
  object.align = object.type.isSignal ? 4 : unsigned(limit(Limit::WindowAlignBytes));
  if (!item.align)
    return;
  std::optional<int64_t> align = body.checkConstantInteger(item.align, "an alignment");
  int64_t least = info(object.type.scalar).bytes();
  if (align && (*align < least || *align > 1 << 20 || !llvm::isPowerOf2_64(uint64_t(*align))))
    checker.sink.report<Rule::BadShape>(item.align->range,
                                        "an alignment is a power of two from the element's " +
                                            std::to_string(least) + " bytes up to 2^20, not " +
                                            std::to_string(*align));
  else
    object.align = unsigned(align.value_or(object.align));
}

static void takeInit(Checker &checker, Body &body, const ast::WindowItem &item, Object &object) {
  if (!item.init)
    return;
  Expr *init = body.checkAs(item.init, Type::of(object.type.scalar));
  if (init->kind != ExprKind::Constant && !init->type.isError())
    checker.sink.report<Rule::NotConstant>(item.init->range,
                                           "the initial value of `" + object.name + "`");
  object.hasInit = true;
  object.init = init->bits;
}

void Checker::checkObject(GlobalSymbol &symbol) {
  const auto &item = *llvm::cast<ast::WindowItem>(symbol.item);
  Body body(*this, symbol.unit, nullptr, Side::Both);
  Object object;
  object.name = item.name.str();
  object.isLocal = item.isLocal;
  object.isHost = item.isHost;
  object.range = item.nameRange;
  TypeAndFacts written = body.resolve(item.type);
  const auto *type = llvm::dyn_cast_or_null<ast::TypeName>(item.type);
  bool isElement = written.type.kind == TypeKind::Scalar || written.type.kind == TypeKind::View;
  if (type && !written.type.isError() && (!type->memory.empty() || !isElement)) {
    sink.report<Rule::TypeMismatch>(item.type->range,
                                    "an element type and shape, as in `f32[1024]` or `signal`",
                                    "`" + sources.text(item.type->range).str() + "`");
    written = {Type::error(), {}};
  }
  object.type = written.type;
  object.type.kind = TypeKind::View;
  object.type.isSymmetric = !item.isLocal;
  takeShape(*this, body, item, written.facts, object);
  takeAlign(*this, body, item, object);
  takeInit(*this, body, item, object);
  object.facts.object = int32_t(program->objects.size());
  object.facts.shape = written.facts.shape;
  symbol.object = uint32_t(program->objects.size());
  program->objects.push_back(std::move(object));
}

} // namespace pto::check_detail
