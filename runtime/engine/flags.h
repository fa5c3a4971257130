//===- flags.h - the flags between the pipes of one core --------*- C++ -*-===//
//
// A flag is one bit for each ordered pair of pipes and id. A set raises it when the first pipe
// comes to the set; a wait holds the second pipe until it is up, and takes it down.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_ENGINE_FLAGS_H
#define PTO_ENGINE_FLAGS_H

#include "engine/engine.h"

#include <map>

namespace pto {

struct FlagId {
  Pipe from = Pipe::S, to = Pipe::S;
  uint8_t id = 0;
  auto operator<=>(const FlagId &) const = default;
};
/// "MTE2 to MTE3, id 0"
[[nodiscard]] std::string text(const FlagId &flag);

class Flags {
public:
  struct State {
    bool isUp = false;
    uint64_t raised = 0;
    CodePlace lastRaised;
  };

  [[nodiscard]] bool isUp(const FlagId &flag) const;
  [[nodiscard]] State state(const FlagId &flag) const;
  /// A flag that is up already is a fault of the writer's program.
  void raise(const FlagId &flag, const Writer &writer);
  void take(const FlagId &flag);
  /// What an operation uses between its pipes has to be down when it begins; `ids` of each pair.
  void claim(llvm::ArrayRef<std::pair<Pipe, Pipe>> pairs, uint8_t firstId, uint8_t ids,
             const Writer &writer);

  std::optional<PipeFault> fault; ///< The first one; it ends the run.
  [[nodiscard]] const std::map<FlagId, State> &all() const { return states_; }

private:
  std::map<FlagId, State> states_;
};

} // namespace pto

#endif
