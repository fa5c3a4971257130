#include "graph/region.h"

namespace pto::graph {

using program::Affine;
using program::TypeKind;

/// The elements from the first to behind the last one of a view, as far as its shape is known.
static void measure(const program::ViewFacts &facts, Region &region) {
  int64_t span = 1, count = 1;
  for (size_t d = 0; d != facts.shape.size(); ++d) {
    std::optional<int64_t> size = facts.shape[d].constant();
    std::optional<int64_t> stride =
        d < facts.stride.size() ? facts.stride[d].constant() : std::nullopt;
    int64_t reach = 0, more = 0;
    if (size && *size == 0) {
      region.span = 0;
      return;
    }
    if (!size || !stride || *size < 0 || __builtin_mul_overflow(*size - 1, *stride, &reach) ||
        __builtin_add_overflow(span, reach, &span) || __builtin_mul_overflow(count, *size, &more))
      return;
    count = more;
  }
  region.span = span;
  region.isDense = span == count;
}

/// Whose part a group's operand is.
static Reach reachOf(const Graph &graph, FrameId frame, const Expr *group) {
  const Expr *made = graph.origin(frame, group).expr;
  bool isAll = made && made->kind == program::ExprKind::Group && made->ops.size() == 2;
  return isAll ? Reach::All : Reach::Some;
}

Region regionOf(const Graph &graph, FrameId frame, const Expr *operand) {
  Region region;
  region.frame = frame;
  if (!operand)
    return region;
  if (operand->type.kind == TypeKind::Tile) {
    region.space = Space::Tile;
    region.tile = graph.origin(frame, operand);
    return region;
  }
  bool isGroup = operand->type.kind == TypeKind::Group;
  if (!(operand->type.isView() || isGroup) || !operand->facts)
    return region;
  const program::ViewFacts &facts = *operand->facts;
  bool isRemote = isGroup || operand->type.locality == program::Locality::Remote;
  if (isGroup)
    region.reach = reachOf(graph, frame, operand);
  region.space = isRemote ? Space::Remote : Space::Own;
  region.object = facts.object;
  region.begin = facts.offset;
  if (isRemote)
    region.peer = facts.peer;
  measure(facts, region);
  return region;
}

static std::optional<Affine> distance(const std::optional<Affine> &from, FrameId fromFrame,
                                      const std::optional<Affine> &to, FrameId toFrame) {
  if (!from || !to)
    return std::nullopt;
  bool isComparable = fromFrame == toFrame || (from->constant() && to->constant());
  return isComparable ? to->minus(*from) : std::nullopt;
}

bool isSamePeer(const Region &a, const Region &b) {
  if (a.reach == Reach::All || b.reach == Reach::All)
    return true;
  std::optional<Affine> apart = distance(a.peer, a.frame, b.peer, b.frame);
  return apart && apart->is(0);
}

/// Two parts of one object in one rank's memory.
static Relation relateParts(const Region &a, const Region &b) {
  std::optional<Affine> apart = distance(a.begin, a.frame, b.begin, b.frame);
  std::optional<int64_t> known = apart ? apart->constant() : std::nullopt;
  if (!known)
    return Relation::Unknown;
  if (a.span == 0 || b.span == 0)
    return Relation::Apart;
  if (*known == 0)
    return Relation::Overlap;
  const Region &first = *known > 0 ? a : b, &second = *known > 0 ? b : a;
  int64_t gap = *known > 0 ? *known : -*known;
  if (!first.span)
    return Relation::Unknown;
  if (gap >= *first.span)
    return Relation::Apart;
  return first.isDense && second.span ? Relation::Overlap : Relation::Unknown;
}

Relation relate(const Region &a, const Region &b) {
  if (a.space == Space::None || b.space == Space::None)
    return Relation::Apart;
  if ((a.space == Space::Tile) != (b.space == Space::Tile))
    return Relation::Apart;
  if (a.space == Space::Tile) {
    if (!a.tile || !b.tile)
      return Relation::Unknown;
    return a.tile == b.tile ? Relation::Overlap : Relation::Apart;
  }
  if (a.object < 0 || b.object < 0)
    return Relation::Unknown;
  if (a.object != b.object)
    return Relation::Apart;
  // An object has one place on all ranks, so parts that lie apart do so whoever owns them.
  Relation parts = relateParts(a, b);
  bool isOneRank = a.space == b.space ? a.space == Space::Own || isSamePeer(a, b)
                                      : a.reach != Reach::One || b.reach != Reach::One;
  return parts == Relation::Apart || isOneRank ? parts : Relation::Unknown; // Perhaps another rank.
}

void forgetTurn(Region &region) {
  if (region.begin && !region.begin->constant())
    region.begin.reset();
  if (region.peer && !region.peer->constant())
    region.peer.reset();
}

} // namespace pto::graph
