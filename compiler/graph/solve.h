//===- solve.h - carries what is known along a graph -------------*- C++ -*-===//
//
// An analysis has a State, which it changes step by step and joins where paths meet; here it is
// carried round until nothing changes. The entries of a state say whether they hold on every path
// (`isMaybe` false) or on some, so that a finding is made of what is sure and the rest is unknown.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_GRAPH_SOLVE_H
#define PTO_GRAPH_SOLVE_H

#include "graph/graph.h"

namespace pto::graph {

/// How two states become one.
enum class Join : uint8_t {
  Branch, ///< One of the paths was taken: what holds on one alone is a maybe.
  Loop,   ///< Both happen, one turn after the other: what holds on one may be relied on.
  Skip,   ///< The second path ran no turn of a loop: it adds nothing that is sure.
};

/// The place of an entry among the first `count` of a list, or `count`. The lists of two paths keep
/// nearly one order, so the search begins behind the last hit, and joining them is linear.
template <typename Entries, typename Entry>
size_t findEntry(const Entries &in, size_t count, const Entry &entry, size_t &behind) {
  for (size_t i = 0; i != count; ++i) {
    size_t at = (behind + i) % count;
    if (!in[at].isSame(entry))
      continue;
    behind = at + 1;
    return at;
  }
  return count;
}

/// Joins lists of entries, which have `isSame(other)` (the same thing), `meet(other, isLoop)` and
/// `isMaybe`.
template <typename Entries> void joinEntries(Entries &into, const Entries &from, Join how) {
  size_t behind = 0, had = into.size();
  for (auto &entry : into) {
    size_t at = findEntry(from, from.size(), entry, behind);
    if (at != from.size())
      entry.meet(from[at], how == Join::Loop);
    else
      entry.isMaybe |= how == Join::Branch;
  }
  behind = 0;
  for (const auto &other : from) {
    if (findEntry(into, had, other, behind) != had)
      continue;
    into.push_back(other);
    into.back().isMaybe |= how != Join::Loop;
  }
}

/// Runs an analysis over a graph: first until its states stand still, then once more with
/// `analysis.reports` set, so that each finding is made once and from the final states.
///
///   struct Analysis {
///     struct State { bool operator==(const State &) const; };
///     bool reports;
///     void step(const Step &step, State &state);
///     void join(State &into, const State &from, Join how);
///     void turn(State &state);            // what another turn of a loop makes of it
///     void end(const State &state);       // at the end of the kernel
///   };
template <typename Analysis> class Solver {
public:
  using State = typename Analysis::State;

  Solver(const Graph &graph, Analysis &analysis) : graph_(graph), analysis_(analysis) {
    before_.resize(graph.blocks.size());
    for (BlockId from = 0; from != graph.blocks.size(); ++from)
      for (const Edge &edge : graph.blocks[from].next)
        before_[edge.to].push_back({from, edge.kind});
    // A loop that is left out comes last, since it only adds.
    for (auto &edges : before_)
      std::stable_sort(edges.begin(), edges.end(), [](const Edge &a, const Edge &b) {
        return (a.kind == EdgeKind::Skip) < (b.kind == EdgeKind::Skip);
      });
  }

  /// False if the states would not stand still; then nothing was reported.
  bool run() {
    std::vector<std::optional<State>> after(graph_.blocks.size());
    bool changes = true;
    for (unsigned sweep = 0; changes; ++sweep) {
      if (sweep == kMaxSweeps)
        return false;
      changes = pass(after);
    }
    analysis_.reports = true;
    (void)pass(after);
    if (after[graph_.exit])
      analysis_.end(*after[graph_.exit]);
    return true;
  }

private:
  static constexpr unsigned kMaxSweeps = 24;

  bool pass(std::vector<std::optional<State>> &after) {
    bool changes = false;
    for (BlockId block = 0; block != graph_.blocks.size(); ++block) {
      std::optional<State> state = enter(block, after);
      if (!state)
        continue;
      for (const Step &step : graph_.blocks[block].steps)
        analysis_.step(step, *state);
      std::optional<State> &known = after[block];
      if (known && *known == *state)
        continue;
      changes = true;
      known = std::move(state);
    }
    return changes;
  }

  std::optional<State> enter(BlockId block, const std::vector<std::optional<State>> &after) {
    std::optional<State> state;
    if (block == graph_.entry)
      state.emplace();
    for (const Edge &edge : before_[block]) {
      const std::optional<State> &last = after[edge.to];
      if (!last)
        continue;
      State from = *last;
      if (edge.kind == EdgeKind::Back)
        analysis_.turn(from);
      if (!state)
        state = std::move(from);
      else
        analysis_.join(*state, from,
                       graph_.blocks[block].isLoopHead ? Join::Loop
                       : edge.kind == EdgeKind::Skip   ? Join::Skip
                                                       : Join::Branch);
    }
    return state;
  }

  const Graph &graph_;
  Analysis &analysis_;
  std::vector<llvm::SmallVector<Edge, 4>> before_; ///< Edge::to is where it comes from.
};

} // namespace pto::graph

#endif
