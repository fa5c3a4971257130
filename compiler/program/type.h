//===- type.h - the types of the language -----------------------*- C++ -*-===//
#ifndef PTO_PROGRAM_TYPE_H
#define PTO_PROGRAM_TYPE_H

#include "base/isa.h"
#include "base/scalar.h"
#include "hixl/answer.h"
#include "program/affine.h"

namespace pto::program {

enum class TypeKind : uint8_t {
  Error, ///< Something was wrong and has been said; agrees with everything.
  Void,
  Scalar,
  View, ///< gm or remote memory
  Tile,
  Group, ///< A part of a window on several ranks; its facts are those of a member's view.
  Session,
  Event,
  Token,
  Enum, ///< An enumerator of the ISA.
  String,
  HixlEngine,
  HixlMem,
  HixlRequest,
  HixlValue, ///< An answer of HIXL, by its row in hixl.def.
};

/// Whose memory a view names.
enum class Locality : uint8_t { Gm, Remote };

/// A type without shape; shapes are facts of a value (ViewFacts), not part of its type's identity.
struct Type {
  TypeKind kind = TypeKind::Error;
  ScalarType scalar = ScalarType::I32; ///< Scalar; the element of View and Tile.
  Locality locality = Locality::Gm;    ///< View.
  bool isSignal = false;               ///< View: the elements are signal words.
  bool isSymmetric = false; ///< View: a window, or a part of one, so that `@p` is allowed.
  DmaEngine engine = DmaEngine::SDMA;   ///< Session.
  IsaEnum isaEnum = IsaEnum::NotifyOp;  ///< Enum.
  HixlEnum hixlEnum = HixlEnum::Status; ///< HixlValue.

  static Type error() { return {}; }
  static Type none() { return {TypeKind::Void}; }
  static Type of(ScalarType scalar) { return {TypeKind::Scalar, scalar}; }
  static Type handle(TypeKind kind) { return {kind}; }
  static Type answer(HixlEnum which) {
    Type type{TypeKind::HixlValue};
    type.hixlEnum = which;
    return type;
  }
  [[nodiscard]] bool isError() const { return kind == TypeKind::Error; }
  [[nodiscard]] bool isScalar() const { return kind == TypeKind::Scalar; }
  [[nodiscard]] bool isScalar(ScalarType which) const { return isScalar() && scalar == which; }
  [[nodiscard]] bool isInteger() const { return isScalar() && info(scalar).isInteger(); }
  [[nodiscard]] bool isView() const { return kind == TypeKind::View; }
  /// A number that only HIXL knows the meaning of: it can be kept, given back and compared.
  [[nodiscard]] bool isHixl() const {
    return kind >= TypeKind::HixlEngine && kind <= TypeKind::HixlValue;
  }
};

/// Whether a value of type `from` may stand where `to` is wanted. A symmetric view is also a plain
/// one, and Error agrees with everything.
[[nodiscard]] bool agrees(const Type &to, const Type &from);

/// What is known of a view before running. Every size is an Affine, so "not known" is a symbol.
struct ViewFacts {
  static constexpr int32_t kNoObject = -1;
  int32_t object = kNoObject; ///< The window or local it lies in.
  llvm::SmallVector<Affine, 5> shape;
  llvm::SmallVector<Affine, 5> stride; ///< In elements.
  Affine offset;                       ///< In elements from the object's start.
  std::optional<Affine> peer;          ///< Remote views: the rank.
  std::optional<bool> isDynamic;       ///< Tiles: whether declared with `valid`, where known.
  std::optional<Affine> members;       ///< Groups: how many.

  /// The product of the shape, where it is a constant times at most one symbol.
  [[nodiscard]] std::optional<Affine> elements() const;
};

/// `remote f32[1024]`: as the language writes it, with the shape where it is known.
[[nodiscard]] std::string text(const Type &type, const ViewFacts *facts = nullptr);
/// A size for messages: its value, or `?`.
[[nodiscard]] std::string text(const Affine &size);
/// `[64, 32]`
[[nodiscard]] std::string text(llvm::ArrayRef<Affine> sizes);

} // namespace pto::program

#endif
