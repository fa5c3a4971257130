//===- types.cpp - types as written -------------------------------------------===//

#include "check/body.h"

namespace pto::check_detail {

/// The engine of `session<E>`.
static std::optional<DmaEngine> engineByName(llvm::StringRef name) {
  if (auto number = info(IsaEnum::DmaEngine).number(name))
    return DmaEngine(*number);
  return std::nullopt;
}

TypeAndFacts Body::resolve(const ast::Type *written) {
  const auto *name = llvm::dyn_cast_or_null<ast::TypeName>(written);
  if (!name)
    return {Type::error(), {}};
  TypeAndFacts result;
  Type &type = result.type;
  for (const ast::Expr *dim : name->dims) {
    Expr *size = check(dim);
    if (!size->type.isError() && !size->type.isInteger())
      sink_.report<Rule::BadShape>(size->range, "a dimension is an integer, not " + text(size->type, size->facts));
    if (std::optional<int64_t> known = size->value.constant(); known && *known < 0)
      sink_.report<Rule::BadShape>(size->range, "a dimension cannot be " + std::to_string(*known));
    result.facts.shape.push_back(size->type.isInteger() ? size->value : opaque());
  }
  if (result.facts.shape.size() > 5) {
    sink_.report<Rule::BadShape>(name->range, "a view has at most five dimensions, not " +
                                                  std::to_string(result.facts.shape.size()));
    result.facts.shape.resize(5);
  }
  for (size_t i = 0; i != result.facts.shape.size(); ++i)
    result.facts.stride.push_back(opaque());
  result.facts.offset = opaque();

  if (name->memory.empty() && name->dims.empty() && name->name != "signal") {
    if (name->name == "event" || name->name == "token") {
      type = Type::handle(name->name == "event" ? TypeKind::Event : TypeKind::Token);
      return result;
    }
    if (name->name == "session") {
      std::optional<DmaEngine> engine = engineByName(name->argument);
      if (!engine)
        sink_.report<Rule::UnknownName>(name->range, name->argument);
      type = engine ? Type{TypeKind::Session} : Type::error();
      type.engine = engine.value_or(DmaEngine::SDMA);
      return result;
    }
  }
  std::optional<ScalarType> element = name->name == "signal" ? ScalarType::I32 : scalarTypeByName(name->name);
  if (!element && bindings_)
    if (auto found = bindings_->types.find(name->name); found != bindings_->types.end())
      element = found->second;
  if (!element) {
    sink_.report<Rule::UnknownName>(name->range, name->name);
    return result;
  }
  if (name->memory == "group") {
    sink_.report<Rule::NotAvailable>(name->range, "group");
    return result;
  }
  type.scalar = *element;
  type.isSignal = name->name == "signal";
  bool isPlain = name->memory.empty() && name->dims.empty() && !type.isSignal;
  type.kind = isPlain ? TypeKind::Scalar : name->memory == "tile" ? TypeKind::Tile : TypeKind::View;
  type.locality = name->memory == "remote" ? Locality::Remote : Locality::Gm;
  type.isSymmetric = name->memory == "window";
  if (type.locality == Locality::Remote)
    result.facts.peer = opaque();
  return result;
}

} // namespace pto::check_detail
