#include "builtin/intrinsic.h"

#include "base/check.h"

namespace pto {

namespace {
// A leading dummy keeps the arrays of rows without parameters legal; rows skip it.
#define P(Name, Kind, AccessOf)                                                                    \
  , { llvm::StringLiteral(#Name), ParamKind::Kind, Access::AccessOf, false }
#define O(Name, Kind, AccessOf)                                                                    \
  , { llvm::StringLiteral(#Name), ParamKind::Kind, Access::AccessOf, true }
#define C(Name, Kind, Value)                                                                       \
  , { llvm::StringLiteral(#Name), ParamKind::Kind, Access::None, true, int16_t(Kind::Value) }
#define PARAMS(...) __VA_ARGS__
#define PTO_INTRINSIC(Enum, Name, Side, Result, Params, Pipe, Opcode, Meaning, Source)             \
  constexpr ParamInfo k##Enum##Row[] = {                                                           \
      {llvm::StringLiteral(""), ParamKind::I32, Access::None, false} Params};
#include "builtin/intrinsic.def"
#undef P
#undef O
#undef C
#undef PARAMS
} // namespace

static const IntrinsicInfo kIntrinsics[] = {
#define PTO_INTRINSIC(Enum, Name, SideOf, Result, Params, PipeOf, Opcode, Meaning, Source)         \
  {llvm::StringLiteral(Name),                                                                      \
   Side::SideOf,                                                                                   \
   ResultKind::Result,                                                                             \
   llvm::ArrayRef(k##Enum##Row).drop_front(),                                                      \
   PipeUse::PipeOf,                                                                                \
   llvm::StringLiteral(Meaning),                                                                   \
   llvm::StringLiteral(Source)},
#include "builtin/intrinsic.def"
};

llvm::StringRef name(Side side) {
  static constexpr llvm::StringLiteral kNames[] = {"kernel", "host", "any"};
  return kNames[size_t(side)];
}

llvm::StringRef name(ParamKind kind) {
  static constexpr llvm::StringLiteral kNames[] = {
      "remote",     "gm",         "gm | remote",    "remote signal",  "gm signal",
      "signal",     "gm element", "remote element", "element",        "tile element",
      "tile",       "group",      "session",        "event",          "token",
      "i32",        "event id",   "type",           "NotifyOp",       "WaitCmp",
      "AtomicType", "Pipe",       "ReduceOp",       "RoundMode",      "AmoOp",
      "Transport",  "Route",      "HixlVerb",       "bool",           "i64",
      "engine",     "mem",        "request",        "DEVICE | HOST",  "READ | WRITE",
      "feature",    "text",       "map of texts",   "pairs of ranges"};
  static_assert(std::size(kNames) == size_t(ParamKind::RangePairs) + 1);
  return kNames[size_t(kind)];
}

int IntrinsicInfo::param(llvm::StringRef wanted) const {
  for (size_t i = 0; i != params.size(); ++i)
    if (params[i].name == wanted)
      return int(i);
  return -1;
}

std::string IntrinsicInfo::signature() const {
  std::string text = name.str() + "(";
  bool isFirst = true;
  for (const ParamInfo &param : params) {
    if (param.fixed >= 0)
      continue;
    std::string one = param.name.str() + ": " + pto::name(param.kind).str();
    if (param.isOptional)
      text += isFirst ? "[" + one + "]" : " [, " + one + "]";
    else
      text += (isFirst ? "" : ", ") + one;
    isFirst = false;
  }
  static constexpr llvm::StringLiteral kResults[] = {"",
                                                     " -> bool",
                                                     " -> event",
                                                     " -> token",
                                                     " -> element",
                                                     " -> i32",
                                                     " -> i64",
                                                     " -> engine",
                                                     " -> mem",
                                                     " -> request",
                                                     " -> status",
                                                     " -> transfer status",
                                                     " -> connect status"};
  static_assert(std::size(kResults) == size_t(ResultKind::HixlConnect) + 1);
  return text + ")" + kResults[size_t(result)].str();
}

llvm::ArrayRef<IntrinsicInfo> intrinsics() { return kIntrinsics; }

const IntrinsicInfo &info(Intrinsic intrinsic) {
  PTO_CHECK(size_t(intrinsic) < std::size(kIntrinsics), "intrinsic out of its table");
  return kIntrinsics[size_t(intrinsic)];
}

std::optional<Intrinsic> intrinsicByName(llvm::StringRef name) {
  for (size_t i = 0; i != std::size(kIntrinsics); ++i)
    if (kIntrinsics[i].name == name)
      return Intrinsic(i);
  return std::nullopt;
}

std::optional<Intrinsic> intrinsicOfModule(llvm::StringRef module, llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, Intrinsic> kOffered[] = {
#define PTO_OFFERED(Module, Enum) {Module, Intrinsic::Enum},
#include "builtin/intrinsic.def"
  };
  for (const auto &[by, intrinsic] : kOffered)
    if (by == module && info(intrinsic).name == name)
      return intrinsic;
  return std::nullopt;
}

std::optional<IsaEnum> isaEnum(ParamKind kind) {
  switch (kind) {
  case ParamKind::NotifyOp:
    return IsaEnum::NotifyOp;
  case ParamKind::WaitCmp:
    return IsaEnum::WaitCmp;
  case ParamKind::AtomicType:
    return IsaEnum::AtomicType;
  case ParamKind::Pipe:
    return IsaEnum::Pipe;
  case ParamKind::ReduceOp:
    return IsaEnum::ReduceOp;
  case ParamKind::RoundMode:
    return IsaEnum::RoundMode;
  case ParamKind::AmoOp:
    return IsaEnum::AmoOp;
  case ParamKind::Transport:
    return IsaEnum::Transport;
  case ParamKind::Route:
    return IsaEnum::Route;
  case ParamKind::HixlVerb:
    return IsaEnum::HixlVerb;
  default:
    return std::nullopt;
  }
}

} // namespace pto
