//===- hixl_things.h - what engines, links and requests may be -----*- C++ -*-===//
#ifndef PTO_FLOW_HIXL_THINGS_H
#define PTO_FLOW_HIXL_THINGS_H

#include "hixl/states.h"

#include <optional>

namespace pto::flow_detail {

/// A bit for each possibility.
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

} // namespace pto::flow_detail

#endif
