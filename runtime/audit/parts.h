//===- parts.h - what the files of this room do for each other --*- C++ -*-===//
#ifndef PTO_AUDIT_PARTS_H
#define PTO_AUDIT_PARTS_H

#include "audit/state.h"

namespace pto::audit_detail {

[[nodiscard]] uint32_t siteOf(State &state, const Writer &writer, Actor actor);
[[nodiscard]] uint32_t scalarSite(State &state, uint32_t core, const Request &request);

/// Who makes an access, and what it knows.
struct Accessor {
  AgentId agent = kNobody;
  uint32_t time = 0;
  const Clock *clock = nullptr;
  uint64_t queue = 0;
  uint32_t core = kNoCore;  ///< Of a host: none.
  AgentId issuer = kNobody; ///< Of pipes and queues: the scalar pipe that issued it,
  uint32_t issueTime = 0;   ///< and when.
  uint32_t site = 0;
  uint64_t operation = 0;
  int32_t source = -1; ///< As of Access.
};
[[nodiscard]] Accessor scalarOf(State &state, uint32_t core, uint32_t site);
[[nodiscard]] Accessor hostOf(State &state, int32_t rank, uint32_t site);

// blocks.cpp
[[nodiscard]] Part partOf(const State &state, const CoreOrder &core, AgentKind kind);
/// The agent that did the same in the stream's last launch, or a new one. Whoever begins with the
/// launch knows all that the old one did.
[[nodiscard]] AgentId takeAgent(State &state, const Part &part);
// access.cpp
/// Judges and notes an access to `count` elements of a view, from the first on.
void access(State &state, const Accessor &who, AccessKind kind, const View &view, int64_t first,
            int64_t count);
void accessBytes(State &state, const Accessor &who, AccessKind kind, int32_t rank, ByteRange range);
[[nodiscard]] bool isOrdered(const State &state, const Access &before, AccessKind kind,
                             const Accessor &who);
// races.cpp
/// Says what two unordered accesses of a memory are: a race, and of which kind.
void reportRace(State &state, const Access &before, const Accessor &who, AccessKind kind, bool isUb,
                int32_t rank, ByteRange range);
void reportUninitialised(State &state, const Accessor &who, int32_t rank, ByteRange range);
/// Bytes that a `tget` brought and that another one overwrites before anybody has read them.
void reportOverwritten(State &state, const Access &before, const Accessor &who, int32_t rank,
                       ByteRange range);
// tiles.cpp
/// Where the program declares a tile, and which bytes of UB it has.
struct TilePlace {
  CodePlace place;
  int64_t begin = 0;
  int64_t size = 0;
};
/// The tile of a running core that an access to bytes of UB means; none: it is not certain.
[[nodiscard]] std::optional<TilePlace> tileOf(const State &state, const Access &access,
                                              ByteRange range);
// cache.cpp
/// Bytes that the reader should see and that a core still holds stored.
void checkUnflushed(State &state, const Accessor &who, int32_t rank, ByteRange range);
// signals.cpp
void sendUpdate(State &state, const SignalUpdate &update, Epoch epoch, ClockRef clock,
                ClockRef full, uint32_t site, uint32_t core);
void storeWord(State &state, const Accessor &who, const Touch &touch, int64_t offset,
               int32_t before, const ClockRef &released);
/// The signal words that a cache writes back with a line: each is set, by the core itself.
void putBackWords(State &state, const Accessor &who, const CacheLine &line, int32_t rank);
// proof.cpp
void addDependences(State &state, std::vector<Dependence> &dependences, int32_t rank,
                    int64_t offset);
void addDependence(State &state, const Dependence &dependence, llvm::StringRef word);
// report.cpp
/// A cause that turns out to be part of another one is not reported.
void withdraw(State &state, Rule rule, const std::string &cause);
/// Whether there is a finding of that cause; it is counted once more then.
[[nodiscard]] bool isMetAgain(State &state, Rule rule, const std::string &cause);
/// Adds a finding; one of the same cause is counted only.
void report(State &state, Trap trap, const TrapSite &site, const std::string &cause);
[[nodiscard]] TrapSite siteOf(const State &state, uint32_t site, std::string role, int64_t timePs);
[[nodiscard]] std::string rangeText(const State &state, int32_t rank, ByteRange range);
[[nodiscard]] std::string wordText(const State &state, int32_t rank, int64_t offset);
/// An instruction, whoever carries it out: findings of the same ones have one cause.
[[nodiscard]] std::string placeKey(const State &state, uint32_t site);
/// The two places, whichever comes first.
[[nodiscard]] std::string pairKey(const State &state, uint32_t one, uint32_t other);
/// "`tstore` (MTE3, rank 0 block 1)"
[[nodiscard]] std::string actorText(const State &state, uint32_t site);
/// The last steps of both cores before their accesses, in order of time.
void addTrace(const State &state, Trap &trap, const Access &before, const Access &after);

} // namespace pto::audit_detail

#endif
