// The data caches of the scalar units: what a line knew when it was fetched, what it holds back,
// and what its write-back takes away from others.

#include "audit/parts.h"

#include "memory/cache.h"
#include "memory/walk.h"

#include "llvm/ADT/bit.h"

namespace pto {

namespace audit_detail {

static int64_t lineOf(int64_t offset) { return offset / Cache::kLineBytes * Cache::kLineBytes; }

/// The bits of a line that a range of bytes takes.
static uint64_t bitsOf(int64_t line, ByteRange range) {
  int64_t from = std::max(range.begin - line, int64_t(0));
  int64_t to = std::min(range.end - line, Cache::kLineBytes);
  if (from >= to)
    return 0;
  uint64_t upTo = to == Cache::kLineBytes ? ~uint64_t(0) : (uint64_t(1) << to) - 1;
  return upTo & ~((uint64_t(1) << from) - 1);
}

/// From the first to the last byte of a line that has its bit.
static ByteRange rangeOf(int64_t line, uint64_t bits) {
  return {line + llvm::countr_zero(bits), line + Cache::kLineBytes - llvm::countl_zero(bits)};
}

static CacheLine &fetch(State &state, CoreOrder &core, const View &element) {
  auto [entry, isNew] = core.lines.try_emplace({element.rank, lineOf(element.offset)});
  if (isNew)
    entry->second.fetched = std::make_shared<const Clock>(state.agents[core.scalar].clock);
  return entry->second;
}

/// The latest change of the bytes that the reader must see and that its line does not have.
static void checkStale(State &state, const Accessor &who, const CacheLine &line, const View &view) {
  Access missed;
  auto look = [&](const Access &change) {
    if (change.agent == kNobody || !changes(change.kind))
      return;
    bool isSeen = state.agents.isBefore(change.epoch(), *line.fetched);
    if (!isSeen && state.agents.isBefore(change.epoch(), *who.clock))
      missed = change;
  };
  ByteRange range = byteRange(view);
  state.gm[size_t(view.rank)].visit(range, [&](ByteRange, Cell &cell) {
    look(cell.write);
    for (const Access &other : cell.others)
      look(other);
  });
  if (missed.agent == kNobody)
    return;
  Trap trap = makeTrap<Rule::StaleRead>(rangeText(state, view.rank, range),
                                        "the line was fetched before " +
                                            actorText(state, missed.site) + " changed it");
  trap.sites.push_back(
      siteOf(state, missed.site, "changed here, and visible to this block by now", missed.timePs));
  report(state, std::move(trap), siteOf(state, who.site, "", state.nowPs),
         placeKey(state, who.site) + "/" + placeKey(state, missed.site));
}

void checkUnflushed(State &state, const Accessor &who, int32_t rank, ByteRange range) {
  for (int64_t at = lineOf(range.begin); at < range.end; at += Cache::kLineBytes) {
    auto holders = state.dirty.find({rank, at});
    if (holders == state.dirty.end())
      continue;
    for (uint32_t id : holders->second) {
      const AgentState &self = state.agents[who.agent];
      bool isOwnLoad = id == who.core && self.kind == AgentKind::Scalar;
      const CoreOrder &core = state.core(id);
      const CacheLine &line = core.lines.at({rank, at});
      uint64_t held = line.stored & bitsOf(at, range);
      if (isOwnLoad || held == 0 || !state.agents.isBefore(line.store, *who.clock))
        continue;
      Trap trap = makeTrap<Rule::StaleRead>(rangeText(state, rank, rangeOf(at, held)),
                                            "the new value is still in the data cache of rank " +
                                                std::to_string(core.rank) + " block " +
                                                std::to_string(core.block));
      trap.sites.push_back(
          siteOf(state, line.site, "stored here, and not flushed since", line.timePs));
      report(state, std::move(trap), siteOf(state, who.site, "", state.nowPs),
             placeKey(state, who.site) + "/" + placeKey(state, line.site));
    }
  }
}

/// Changes of bytes of the line that the core neither made nor had seen when it fetched the line.
static void checkClobbered(State &state, const Accessor &who, int32_t rank, int64_t at,
                           const CacheLine &line) {
  state.gm[size_t(rank)].visit({at, at + Cache::kLineBytes}, [&](ByteRange bytes, Cell &cell) {
    uint64_t old = bitsOf(at, bytes) & ~line.stored;
    if (old == 0)
      return;
    auto look = [&](const Access &change) {
      if (change.agent == kNobody || !changes(change.kind) ||
          state.agents.isBefore(change.epoch(), *line.fetched))
        return;
      Trap trap = makeTrap<Rule::LineClobbered>(rangeText(state, rank, rangeOf(at, old)));
      bool isWriteBack = state.agents[change.agent].kind == AgentKind::WriteBack;
      trap.sites.push_back(
          siteOf(state, change.site,
                 std::string(isWriteBack ? "what was stored here was written back at this time"
                                         : "changed here") +
                     ", and nothing orders that before the line was fetched",
                 change.timePs));
      trap.sites.push_back(siteOf(state, line.site, "this store made the line dirty", line.timePs));
      report(state, std::move(trap), siteOf(state, who.site, "", state.nowPs),
             pairKey(state, line.site, change.site));
    };
    look(cell.write);
    for (const Access &other : cell.others)
      look(other);
  });
}

/// The bytes of signal words that were stored.
static uint64_t wordBits(int64_t at, const CacheLine &line) {
  uint64_t bits = 0;
  for (const auto &word : line.words)
    bits |= bitsOf(at, {word.first, word.first + 4});
  return bits;
}

/// What becomes of each byte of a line: an update of a signal, written, or put back as it was.
static void accessLine(State &state, const Accessor &storer, int32_t rank, int64_t at,
                       const CacheLine &line) {
  uint64_t words = wordBits(at, line);
  auto kindOf = [&](int64_t byte) {
    return (words >> byte & 1u) != 0         ? AccessKind::Update
           : (line.stored >> byte & 1u) != 0 ? AccessKind::Write
                                             : AccessKind::PutBack;
  };
  for (int64_t byte = 0; byte != Cache::kLineBytes;) {
    AccessKind kind = kindOf(byte);
    int64_t end = byte;
    while (end != Cache::kLineBytes && kindOf(end) == kind)
      ++end;
    accessBytes(state, storer, kind, rank, {at + byte, at + end});
    byte = end;
  }
}

/// A write-back: the bytes that were stored are written now, the others are put back as they were.
static void writeBack(State &state, const Accessor &who, const LineKey &key,
                      const CacheLine &line) {
  auto [rank, at] = key;
  checkClobbered(state, who, rank, at, line);
  CoreOrder &core = state.core(who.core);
  Accessor storer = who;
  storer.site = line.site;
  if (!line.words.empty()) { // Whoever sees the signal sees the whole line, which came with it.
    accessLine(state, storer, rank, at, line);
    return putBackWords(state, storer, line, rank);
  }
  // The cache writes for the core, which knows of it at once; others need a fence.
  storer.agent = core.writeBack;
  storer.time = state.agents.touch(core.writeBack).time;
  storer.issuer = core.scalar;
  storer.issueTime = who.time;
  accessLine(state, storer, rank, at, line);
  (void)state.agents.release(core.writeBack);
  state.agents.raise(core.scalar, core.writeBack, storer.time);
}

static void drop(State &state, uint32_t id, const Accessor &who,
                 std::map<LineKey, CacheLine>::iterator line) {
  CoreOrder &core = state.core(id);
  if (line->second.stored != 0) {
    auto holders = state.dirty.find(line->first);
    llvm::erase(holders->second, id);
    if (holders->second.empty())
      state.dirty.erase(holders);
    writeBack(state, who, line->first, line->second);
  }
  core.lines.erase(line);
}

static void noteWord(CacheLine &line, int64_t offset, int32_t value) {
  for (auto &word : line.words)
    if (word.first == offset) {
      word.second = value;
      return;
    }
  line.words.emplace_back(offset, value);
}

} // namespace audit_detail

using namespace audit_detail;

void Audit::loads(uint32_t id, const Request &request) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  const View &view = request.views[0];
  Accessor who = scalarOf(state, id, scalarSite(state, id, request));
  CacheLine &line = fetch(state, core, view);
  uint64_t bits = bitsOf(lineOf(view.offset), byteRange(view));
  if ((line.stored & bits) == bits)
    return; // Its own value, which nobody else has seen yet.
  checkStale(state, who, line, view);
  access(state, who, AccessKind::Read, view, 0, 1);
}

void Audit::stores(uint32_t id, const Request &request) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  const View &view = request.views[0];
  CacheLine &line = fetch(state, core, view);
  if (line.stored == 0)
    state.dirty[{view.rank, lineOf(view.offset)}].push_back(id);
  line.stored |= bitsOf(lineOf(view.offset), byteRange(view));
  line.store = state.agents.touch(core.scalar);
  line.site = scalarSite(state, id, request);
  line.timePs = state.nowPs;
  if (view.isSignal) {
    (void)state.word(view.rank, view.offset); // As it was before.
    noteWord(line, view.offset, int32_t(request.values[0]));
  }
}

void Audit::flushes(uint32_t id, const Request &request, const View *view) {
  State &state = *state_;
  CoreOrder &core = state.core(id);
  if (core.lines.empty())
    return;
  Accessor who = scalarOf(state, id, scalarSite(state, id, request));
  if (!view) {
    while (!core.lines.empty())
      drop(state, id, who, core.lines.begin());
    return;
  }
  int64_t left = elements(*view);
  if (left == 0)
    return;
  for (ElementWalk walk(*view);;) {
    int64_t run = std::min(left, walk.run());
    int64_t end = walk.offset() + run * view->elementBytes();
    auto line = core.lines.lower_bound({view->rank, lineOf(walk.offset())});
    while (line != core.lines.end() && line->first.first == view->rank &&
           line->first.second < end) {
      auto next = std::next(line);
      drop(state, id, who, line);
      line = next;
    }
    left -= run;
    if (left == 0)
      return;
    walk.advance(run);
  }
}

} // namespace pto
