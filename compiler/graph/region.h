//===- region.h - the memory that an operand names ---------------*- C++ -*-===//
//
// As far as it is known before running: a tile, or a part of an object of this or another rank. Two
// regions overlap, lie apart, or one cannot say.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_GRAPH_REGION_H
#define PTO_GRAPH_REGION_H

#include "graph/graph.h"

namespace pto::graph {

enum class Space : uint8_t { None, Tile, Own, Remote };

/// Whose memory a remote region lies in.
enum class Reach : uint8_t {
  One,  ///< One rank's.
  Some, ///< That of several, which are not known; the own rank, as their root, is one of them.
  All,
};

struct Region {
  Space space = Space::None;
  Reach reach = Reach::One;             ///< Remote: a part of a group is the same on all members.
  Origin tile;                          ///< Tile.
  int32_t object = -1;                  ///< Own, Remote: index of the program's object.
  FrameId frame = 0;                    ///< Whose symbols the sums below are made of.
  std::optional<program::Affine> begin; ///< First element.
  std::optional<int64_t> span;          ///< Elements from the first to behind the last.
  std::optional<program::Affine> peer;
  bool isDense = false; ///< Every element of the span belongs to it.

  bool operator==(const Region &) const = default;
};

enum class Relation : uint8_t { Apart, Overlap, Unknown };

[[nodiscard]] Region regionOf(const Graph &graph, FrameId frame, const Expr *operand);
[[nodiscard]] Relation relate(const Region &a, const Region &b);
/// Whether two remote operands name one rank for certain, or a group's one that the other names.
[[nodiscard]] bool isSamePeer(const Region &a, const Region &b);
/// Forgets what may be another value in the next turn of a loop.
void forgetTurn(Region &region);

} // namespace pto::graph

#endif
