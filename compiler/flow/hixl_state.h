//===- hixl_state.h - what is known of a host's engines -----------*- C++ -*-===//
//
// A state is what a host may have come to on one path. Each part says what it may be, a bit for
// each possibility, so that two paths can become one. Things are named by the call that made them.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_FLOW_HIXL_STATE_H
#define PTO_FLOW_HIXL_STATE_H

#include "hixl/identifier.h"
#include "hixl/options.h"
#include "hixl/states.h"
#include "program/program.h"

#include <map>
#include <vector>

namespace pto::flow_detail {

using program::Expr;
using program::Stmt;
using program::Variable;

using Bits = uint8_t;
/// Of an engine.
struct Life {
  static constexpr Bits New = 1, Ready = 2, Refused = 4, Finalized = 8, Any = 15;
};
/// Of a link; Refused: a connect that failed, or what may have ended it by itself.
struct Tie {
  static constexpr Bits Up = 1, Down = 2, Refused = 4, Any = 7;
};
/// Of a registered range.
struct Hold {
  static constexpr Bits Live = 1, Gone = 2, Refused = 4, Any = 7;
};
/// Of a request: never asked for; asked for and under way; told its end; the same by a query of
/// all; cut off with its link; never accepted.
struct Quest {
  static constexpr Bits Fresh = 1, Asked = 2, Told = 4, Taken = 8, Unlinked = 16, Refused = 32;
  static constexpr Bits Open = Fresh | Asked, Any = 63;
};

/// Names what a call made, the same one in every turn of a loop: see HostWalk::nameOf.
using ThingId = uint32_t;

/// A value of the program.
struct Value {
  enum class Kind : uint8_t { Unknown, Is, IsNot, Engine, Mem, Request };
  Kind kind = Kind::Unknown;
  int64_t number = 0; ///< Is, IsNot; a ThingId.

  static Value of(int64_t number) { return {Kind::Is, number}; }
  static Value anyBut(int64_t number) { return {Kind::IsNot, number}; }
  static Value status(HixlStatus status) { return of(int64_t(status)); }
  static Value thing(Kind kind, ThingId id) { return {kind, int64_t(id)}; }
  [[nodiscard]] bool isNumber() const { return kind == Kind::Is; }
  bool operator==(const Value &) const = default;
};

/// Bytes of an object; -1: not known.
struct ByteRange {
  int32_t object = -1;
  int64_t begin = -1, end = -1;
  std::optional<int64_t> peer; ///< The rank; absent: this one.
  bool isPeerKnown = true;
  bool isHost = false;  ///< In the memory of the host.
  bool isWhole = false; ///< All of the object.

  [[nodiscard]] bool isKnown() const { return object >= 0 && begin >= 0 && isPeerKnown; }
  [[nodiscard]] bool overlaps(const ByteRange &other) const {
    return isKnown() && other.isKnown() && object == other.object && peer == other.peer &&
           begin < other.end && other.begin < end;
  }
  bool operator==(const ByteRange &) const = default;
};
struct Touched {
  ByteRange range;
  bool writes = false;
  bool operator==(const Touched &) const = default;
};

/// What `initialize` makes of its options and the engine's name.
struct EngineFacts {
  bool isRead = false;
  ParsedOptions options;
  std::optional<std::string> name; ///< As it is written; absent: not known.
  ParsedIdentifier identifier;     ///< Of a name that is known.

  [[nodiscard]] bool connectsByItself() const {
    return options.config.autoConnect || options.config.pool;
  }
};

struct LinkState {
  Bits is = Tie::Down;
  const Expr *since = nullptr;  ///< The connect, or the disconnect.
  const Expr *asked = nullptr;  ///< An asynchronous connect whose end nobody saw.
  bool isImplicit = false;      ///< A transfer may have made it.
  std::vector<ThingId> regions; ///< Ranges of this host that it may know.

  void join(const LinkState &other);
  bool operator==(const LinkState &) const = default;
};
struct RegionState {
  const Expr *call = nullptr;
  ByteRange range;
  HixlMemType type = HixlMemType::Device;
  Bits is = Hold::Live;
  const Expr *ended = nullptr;

  void join(const RegionState &other);
  bool operator==(const RegionState &) const = default;
};
struct RequestState {
  const Expr *call = nullptr;
  ThingId engine = 0;
  std::optional<std::string> remote; ///< Absent: not known.
  HixlOp op = HixlOp::Read;
  Bits is = Quest::Fresh;
  const Expr *ended = nullptr; ///< What ended it.
  int64_t answer = -1;         ///< What it was told, if that is known.
  std::vector<Touched> touches;

  void join(const RequestState &other);
  bool operator==(const RequestState &) const = default;
};
struct EngineState {
  const Expr *made = nullptr;
  std::optional<std::string> name;
  Bits life = Life::New;
  const Expr *since = nullptr;        ///< What made its life so.
  Value refusedBy;                    ///< A status.
  const EngineFacts *facts = nullptr; ///< Of an initialized one; null: not known.
  std::map<std::string, LinkState> links;
  bool linksElsewhere = false; ///< To a remote that is not known.
  std::map<ThingId, RegionState> regions;
  const Expr *firstSync = nullptr, *firstAsync = nullptr; ///< The two ways to connect.
  bool areWaysKnown = true;
  Value last;              ///< The status of the last call,
  ThingId lastRequest = 0; ///< which submitted this request; 0: none.

  /// Ready, unless `initialize` was refused.
  [[nodiscard]] bool isReady() const {
    return (life & Life::Ready) && !(life & (Life::New | Life::Finalized));
  }
  [[nodiscard]] LinkState link(llvm::StringRef remote) const;
  void join(const EngineState &other);
  bool operator==(const EngineState &) const = default;
};

struct HostState {
  std::map<const Variable *, Value> values; ///< Looked up and compared, never shown in its order.
  std::map<ThingId, EngineState> engines;
  std::map<ThingId, RequestState> requests;

  void join(const HostState &other);
  /// Nothing is known any more of an engine, but whether it is ready.
  void blur(ThingId engine);
  /// Nor of any.
  void blur();
  bool operator==(const HostState &) const = default;
};

} // namespace pto::flow_detail

#endif
