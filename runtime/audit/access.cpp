// Accesses to memory: each is held against what the bytes have seen before, and then noted there.

#include "audit/parts.h"

#include "memory/walk.h"

namespace pto::audit_detail {

bool isOrdered(const State &state, const Access &before, AccessKind kind, const Accessor &who) {
  const AgentState &agent = state.agents[before.agent];
  if (agent.kind != AgentKind::Queue) {
    if (before.agent == who.agent)
      return true;
  } else if (agent.queue == who.queue && changes(before.kind) && changes(kind)) {
    return true; // A queue writes in post order.
  }
  return state.agents.isBefore(before.epoch(), *who.clock) &&
         (!changes(before.kind) || state.agents.isTold(before.epoch(), who.agent, *who.clock));
}

namespace {
/// What one access met, over all of its bytes.
class Meetings {
public:
  void add(const Access &before, ByteRange range) {
    for (auto &[other, bytes] : races_)
      if (other.isSame(before)) {
        bytes.begin = std::min(bytes.begin, range.begin);
        bytes.end = std::max(bytes.end, range.end);
        return;
      }
    if (races_.size() < kMost)
      races_.emplace_back(before, range);
  }
  void addOverwritten(const Access &before, ByteRange range) {
    if (overwritten_.agent == kNobody) {
      overwritten_ = before;
      overwrittenBytes_ = range;
    }
    overwrittenBytes_.end = range.end;
  }
  /// What one of them brings back depends on which comes first.
  void addFetched(const Access &before, ByteRange range) { fetched_.emplace_back(before, range); }
  void addUnwritten(ByteRange range) {
    if (unwritten_.empty())
      unwritten_ = range;
    unwritten_.end = range.end;
  }
  void report(State &state, const Accessor &who, AccessKind kind, bool isUb, int32_t rank) const {
    for (const auto &[before, range] : races_)
      reportRace(state, before, who, kind, isUb, rank, range);
    for (const auto &[before, range] : fetched_)
      addDependence(state, {before.site, who.site}, rangeText(state, rank, range));
    if (overwritten_.agent != kNobody)
      reportOverwritten(state, overwritten_, who, rank, overwrittenBytes_);
    if (!unwritten_.empty() && !isUb)
      reportUninitialised(state, who, rank, unwritten_);
  }

private:
  static constexpr size_t kMost = 16;
  llvm::SmallVector<std::pair<Access, ByteRange>, 2> races_;
  llvm::SmallVector<std::pair<Access, ByteRange>, 0> fetched_;
  ByteRange unwritten_;
  Access overwritten_; ///< Of nobody: there is none.
  ByteRange overwrittenBytes_;
};
} // namespace

/// Leaves out what the new access makes superfluous: whoever comes after it comes after them too.
static void note(const State &state, Cell &cell, const Access &access, const Accessor &who) {
  if (changes(access.kind))
    cell.isWritten = true;
  if (access.kind == AccessKind::Write) {
    cell.write = access;
    cell.others.clear();
    return;
  }
  llvm::erase_if(cell.others, [&](const Access &other) {
    return other.kind == access.kind && isOrdered(state, other, access.kind, who);
  });
  cell.others.push_back(access);
}

static void touch(State &state, Shadow &shadow, const Accessor &who, AccessKind kind,
                  ByteRange range, Meetings &meetings) {
  Access made{who.agent,  who.time,      kind,        who.site,      who.core,
              who.issuer, who.issueTime, state.nowPs, who.operation, who.source};
  auto meet = [&](const Access &before, ByteRange bytes) {
    if (before.agent != kNobody && conflict(before.kind, kind) &&
        !isOrdered(state, before, kind, who))
      meetings.add(before, bytes);
    else if (isAtomic(before.kind) && isAtomic(kind) && !isOrdered(state, before, kind, who) &&
             (before.kind == AccessKind::Fetch || kind == AccessKind::Fetch))
      meetings.addFetched(before, bytes);
  };
  shadow.visit(range, [&](ByteRange bytes, Cell &cell) {
    meet(cell.write, bytes);
    for (const Access &other : cell.others)
      meet(other, bytes);
    bool isFetched = kind == AccessKind::Write && who.source >= 0 && cell.write.source >= 0 &&
                     cell.others.empty();
    if (isFetched && cell.write.source != who.source && cell.write.agent == who.agent)
      meetings.addOverwritten(cell.write, bytes);
    bool reads = kind == AccessKind::Read || isAtomic(kind);
    if (reads && !cell.isWritten) {
      meetings.addUnwritten(bytes);
      cell.isWritten = true; // Once is enough.
    }
    note(state, cell, made, who);
  });
}

void access(State &state, const Accessor &who, AccessKind kind, const View &view, int64_t first,
            int64_t count) {
  if (count == 0 || view.space == Space::None)
    return;
  bool isUb = view.space == Space::Ub;
  state.agents.noteData({who.agent, who.time});
  Shadow &shadow = isUb ? *state.core(who.core).ub : state.gm[size_t(view.rank)];
  Meetings meetings;
  ElementWalk walk(view, first);
  for (int64_t left = count;;) {
    int64_t run = std::min(left, walk.run());
    ByteRange range{walk.offset(), walk.offset() + run * view.elementBytes()};
    touch(state, shadow, who, kind, range, meetings);
    if (!isUb && !changes(kind) && !state.dirty.empty())
      checkUnflushed(state, who, view.rank, range);
    left -= run;
    if (left == 0)
      break;
    walk.advance(run);
  }
  meetings.report(state, who, kind, isUb, view.rank);
}

void accessBytes(State &state, const Accessor &who, AccessKind kind, int32_t rank,
                 ByteRange range) {
  Meetings meetings;
  touch(state, state.gm[size_t(rank)], who, kind, range, meetings);
  meetings.report(state, who, kind, false, rank);
}

} // namespace pto::audit_detail
