//===- intrinsic.h - the instructions, derived from intrinsic.def -*- C++ -*-===//
#ifndef PTO_BUILTIN_INTRINSIC_H
#define PTO_BUILTIN_INTRINSIC_H

#include "base/isa.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace pto {

enum class Intrinsic : uint8_t {
#define PTO_INTRINSIC(Enum, Name, Side, Result, Params, PipeUse, Opcode, Meaning, Source) Enum,
#include "builtin/intrinsic.def"
};

/// Where code runs. A function takes the side of its caller.
enum class Side : uint8_t { Device, Host, Both };
[[nodiscard]] llvm::StringRef name(Side side); ///< "kernel", "host", "any"

enum class ResultKind : uint8_t {
  Void,
  Bool,
  Event,
  Token,
  Element,
  I32,
  I64,
  HixlEngine,
  HixlMem,
  HixlRequest,
  HixlStatus,
  HixlTransfer,
  HixlConnect,
};

enum class ParamKind : uint8_t {
  RemoteView,
  GmView,
  AnyView,
  RemoteSignal,
  GmSignal,
  AnySignal,
  WindowElement,
  RemoteElement,
  Element,
  TileElement,
  Tile,
  Group,
  Session,
  Event,
  Token,
  I32,
  EventId,
  ElementType,
  NotifyOp,
  WaitCmp,
  AtomicType,
  Pipe,
  ReduceOp,
  RoundMode,
  AmoOp,
  Transport,
  Route,
  HixlVerb,
  Bool,
  I64,
  HixlEngine,
  HixlMem,
  HixlRequest,
  HixlMemType,
  HixlOp,
  HixlFeature,
  Text,
  TextMap,
  RangePairs,
};
[[nodiscard]] llvm::StringRef
name(ParamKind kind); ///< As signatures write it: "remote", "gm signal"

/// What an instruction does to the memory that an operand names.
enum class Access : uint8_t { None, Read, Write, Both, Update };

/// Who does an instruction, and so what it is ordered with.
enum class PipeUse : uint8_t { Scalar, Load, Vector, Store, Staged, Reduce, Engine, Queue, Host };

struct ParamInfo {
  llvm::StringLiteral name;
  ParamKind kind;
  Access access;
  bool isOptional;
  int16_t fixed = -1; ///< The enumerator that the row gives itself; -1: an argument is given.
};

/// One row of intrinsic.def.
struct IntrinsicInfo {
  llvm::StringLiteral name;
  Side side;
  ResultKind result;
  llvm::ArrayRef<ParamInfo> params;
  PipeUse pipe;
  llvm::StringLiteral meaning;
  llvm::StringLiteral source;

  /// Position of a parameter by name, or -1.
  [[nodiscard]] int param(llvm::StringRef name) const;
  /// `tput(dst: remote, src: gm, staging: tile [, pong: tile]) -> token`
  [[nodiscard]] std::string signature() const;
};

[[nodiscard]] llvm::ArrayRef<IntrinsicInfo> intrinsics();
[[nodiscard]] const IntrinsicInfo &info(Intrinsic intrinsic);
[[nodiscard]] std::optional<Intrinsic> intrinsicByName(llvm::StringRef name);
/// `shmem.set_atomic_none`
[[nodiscard]] std::optional<Intrinsic> intrinsicOfModule(llvm::StringRef module,
                                                         llvm::StringRef name);
/// The ISA enumeration that a parameter takes, if it takes one.
[[nodiscard]] std::optional<IsaEnum> isaEnum(ParamKind kind);

} // namespace pto

#endif
