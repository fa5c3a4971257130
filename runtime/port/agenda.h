//===- agenda.h - what happens when -----------------------------*- C++ -*-===//
//
// The one queue of a run, ordered by virtual time; ties are broken by a seeded draw and then by the
// order of entry, so that a seed decides everything. Engines enter what they will do; the world
// takes the next action out and has it done.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PORT_AGENDA_H
#define PTO_PORT_AGENDA_H

#include "port/jitter.h"

#include <cstddef>
#include <vector>

namespace pto {

enum class ActionKind : uint8_t {
  Resume,       ///< subject: agent. It goes on, or its request is carried out.
  EndHold,      ///< subject: transfer, part: low bits of its operation. Its bytes move at last.
  MoveBytes,    ///< subject: transfer, part: fragment.
  RaiseSignal,  ///< subject: transfer. Its own signal, after its payload.
  CompletePost, ///< subject: transfer.
  EndPipeHold,  ///< subject: core, part: pipe and low bits of the operation, whose step is done.
  StepPipe,     ///< subject: core, part: pipe. The operation at the head has moved its next piece.
  Notify,       ///< subject: pending notify of the world.
  StartLaunch,  ///< subject: launch.
  Hixl,         ///< Whatever HIXL has to do by then.
};

struct Action {
  int64_t timePs = 0;
  uint64_t tie = 0;
  uint64_t sequence = 0;
  ActionKind kind = ActionKind::Resume;
  uint32_t part = 0;
  uint32_t subject = 0;
};

class Agenda {
public:
  explicit Agenda(uint64_t seed) : ties_(seed, ~uint64_t(0)) {}

  void add(int64_t timePs, ActionKind kind, uint32_t subject, uint32_t part = 0);
  [[nodiscard]] Action takeNext();
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] size_t size() const { return heap_.size(); }
  [[nodiscard]] int64_t nextTime() const { return heap_.front().timePs; }

private:
  std::vector<Action> heap_;
  Jitter ties_;
  uint64_t sequence_ = 0;
};

} // namespace pto

#endif
