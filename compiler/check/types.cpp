//===- types.cpp - types as written -------------------------------------------===//

#include "check/body.h"

namespace pto::check_detail {

/// The engine of `session<E>`.
static std::optional<DmaEngine> engineByName(llvm::StringRef name) {
  if (auto number = info(IsaEnum::DmaEngine).number(name))
    return DmaEngine(*number);
  return std::nullopt;
}

void Body::resolveShape(const ast::TypeName &name, ViewFacts &facts) {
  for (const ast::Expr *dim : name.dims) {
    Expr *size = check(dim);
    if (!size->type.isError() && !size->type.isInteger())
      sink_.report<Rule::BadShape>(size->range, "a dimension is an integer, not " +
                                                    text(size->type, size->facts));
    if (std::optional<int64_t> known = size->value.constant(); known && *known < 0)
      sink_.report<Rule::BadShape>(size->range, "a dimension cannot be " + std::to_string(*known));
    facts.shape.push_back(size->type.isInteger() ? size->value : opaque());
  }
  if (facts.shape.size() > 5) {
    sink_.report<Rule::BadShape>(name.range, "a view has at most five dimensions, not " +
                                                 std::to_string(facts.shape.size()));
    facts.shape.resize(5);
  }
  for (size_t i = 0; i != facts.shape.size(); ++i)
    facts.stride.push_back(opaque());
  facts.offset = opaque();
}

/// What HIXL gives, as parameters name it.
static std::optional<Type> hixlTypeByName(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, TypeKind> kHandles[] = {
      {"engine", TypeKind::HixlEngine},
      {"mem", TypeKind::HixlMem},
      {"request", TypeKind::HixlRequest}};
  static constexpr std::pair<llvm::StringLiteral, HixlEnum> kAnswers[] = {
      {"status", HixlEnum::Status},
      {"transfer_status", HixlEnum::Transfer},
      {"connect_status", HixlEnum::Connect}};
  for (const auto &[known, kind] : kHandles)
    if (known == name)
      return Type::handle(kind);
  for (const auto &[known, which] : kAnswers)
    if (known == name)
      return Type::answer(which);
  return std::nullopt;
}

/// `event`, `token`, `session<E>` and the handles of HIXL; absent for anything else.
std::optional<Type> Body::resolveHandle(const ast::TypeName &name) {
  if (!name.memory.empty() || !name.dims.empty())
    return std::nullopt;
  if (name.name == "event")
    return Type::handle(TypeKind::Event);
  if (name.name == "token")
    return Type::handle(TypeKind::Token);
  bool isBound = bindings_ && bindings_->types.contains(name.name);
  if (std::optional<Type> hixl = hixlTypeByName(name.name); hixl && !isBound)
    return hixl;
  if (name.name != "session")
    return std::nullopt;
  std::optional<DmaEngine> engine = engineByName(name.argument);
  if (bindings_ && bindings_->engines.contains(name.argument))
    engine = bindings_->engines.lookup(name.argument);
  if (!engine) {
    sink_.report<Rule::UnknownName>(name.range, name.argument);
    return Type::error();
  }
  Type type{TypeKind::Session};
  type.engine = *engine;
  return type;
}

std::optional<ScalarType> Body::elementTypeOf(llvm::StringRef name) const {
  if (std::optional<ScalarType> element = scalarTypeByName(name))
    return element;
  if (bindings_)
    if (auto found = bindings_->types.find(name); found != bindings_->types.end())
      return found->second;
  return std::nullopt;
}

std::optional<IsaEnum> enumOf(const ast::Type *written) {
  const auto *name = llvm::dyn_cast_or_null<ast::TypeName>(written);
  if (!name || !name->memory.empty() || !name->dims.empty())
    return std::nullopt;
  for (size_t i = 0; i != isaEnums().size(); ++i)
    if (isaEnums()[i].name == name->name)
      return IsaEnum(i);
  return std::nullopt;
}

std::optional<ScalarType> Body::resolveElement(const ast::TypeName &name) {
  if (name.name == "signal")
    return ScalarType::I32;
  if (std::optional<ScalarType> element = elementTypeOf(name.name))
    return element;
  sink_.report<Rule::UnknownName>(name.range, name.name);
  return std::nullopt;
}

TypeAndFacts Body::resolve(const ast::Type *written) {
  const auto *name = llvm::dyn_cast_or_null<ast::TypeName>(written);
  TypeAndFacts result;
  if (!name)
    return result;
  resolveShape(*name, result.facts);
  if (std::optional<Type> handle = resolveHandle(*name))
    return {*handle, result.facts};
  std::optional<ScalarType> element = resolveElement(*name);
  if (!element)
    return result;
  Type &type = result.type;
  type.scalar = *element;
  type.isSignal = name->name == "signal";
  bool isPlain = name->memory.empty() && name->dims.empty() && !type.isSignal;
  type.kind = isPlain                   ? TypeKind::Scalar
              : name->memory == "tile"  ? TypeKind::Tile
              : name->memory == "group" ? TypeKind::Group
                                        : TypeKind::View;
  bool isRemote = name->memory == "remote" || type.kind == TypeKind::Group;
  type.locality = isRemote ? Locality::Remote : Locality::Gm;
  type.isSymmetric = name->memory == "window";
  if (type.locality == Locality::Remote)
    result.facts.peer = opaque();
  if (type.kind == TypeKind::Group)
    result.facts.members = opaque();
  return result;
}

} // namespace pto::check_detail
