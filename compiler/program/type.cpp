#include "program/type.h"

#include "base/check.h"

namespace pto::program {

bool agrees(const Type &to, const Type &from) {
  if (to.isError() || from.isError())
    return true;
  if (to.kind != from.kind)
    return false;
  switch (to.kind) {
  case TypeKind::Scalar:
  case TypeKind::Tile:
  case TypeKind::Group:
    return to.scalar == from.scalar;
  case TypeKind::View:
    return to.scalar == from.scalar && to.locality == from.locality &&
           to.isSignal == from.isSignal && (!to.isSymmetric || from.isSymmetric);
  case TypeKind::Session:
    return to.engine == from.engine;
  case TypeKind::Enum:
    return to.isaEnum == from.isaEnum;
  case TypeKind::HixlValue:
    return to.hixlEnum == from.hixlEnum;
  default:
    return true;
  }
}

std::optional<Affine> ViewFacts::elements() const {
  Affine product(1);
  for (const Affine &size : shape) {
    std::optional<int64_t> left = product.constant(), right = size.constant();
    std::optional<Affine> next;
    if (right)
      next = product.times(*right);
    else if (left)
      next = size.times(*left);
    if (!next)
      return std::nullopt;
    product = *next;
  }
  return product;
}

std::string text(const Affine &size) {
  std::optional<int64_t> value = size.constant();
  return value ? std::to_string(*value) : "?";
}

std::string text(llvm::ArrayRef<Affine> sizes) {
  std::string out = "[";
  for (const Affine &size : sizes)
    out += (out.size() > 1 ? ", " : "") + text(size);
  return out + "]";
}

static std::string viewText(const Type &type, const ViewFacts *facts) {
  std::string out = type.kind == TypeKind::Tile         ? "tile "
                    : type.kind == TypeKind::Group      ? "group "
                    : type.locality == Locality::Remote ? "remote "
                    : type.isSymmetric                  ? "window "
                                                        : "gm ";
  out += type.isSignal ? "signal" : info(type.scalar).name.str();
  if (facts && !facts->shape.empty())
    out += text(facts->shape);
  return out;
}

std::string text(const Type &type, const ViewFacts *facts) {
  switch (type.kind) {
  case TypeKind::Error:
    return "?";
  case TypeKind::Void:
    return "nothing";
  case TypeKind::Scalar:
    return info(type.scalar).name.str();
  case TypeKind::View:
  case TypeKind::Tile:
  case TypeKind::Group:
    return viewText(type, facts);
  case TypeKind::Session:
    return "session<" + name(type.engine).str() + ">";
  case TypeKind::Event:
    return "event";
  case TypeKind::Token:
    return "token";
  case TypeKind::Enum:
    return info(type.isaEnum).name.str();
  case TypeKind::String:
    return "a string";
  case TypeKind::HixlEngine:
    return "engine of HIXL";
  case TypeKind::HixlMem:
    return "memory handle of HIXL";
  case TypeKind::HixlRequest:
    return "request of HIXL";
  case TypeKind::HixlValue:
    return name(type.hixlEnum).str();
  }
  PTO_UNREACHABLE("type kind");
}

} // namespace pto::program
