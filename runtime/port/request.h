//===- request.h - what an agent asks of the world --------------*- C++ -*-===//
//
// A core or a host runs until it needs what it does not own: memory that others see, time, waiting.
// It then hands over one request and stops. Values and views stand in the order in which the row of
// opcode.def lists them, without the destination; a view that was left out has Space::None.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PORT_REQUEST_H
#define PTO_PORT_REQUEST_H

#include "bytecode/module.h"
#include "memory/view.h"
#include "port/trap.h"

namespace pto {

/// An instruction of the module, by index.
struct CodePoint {
  uint32_t function = 0;
  uint32_t pc = 0;
  bool operator==(const CodePoint &) const = default;
};

struct Request {
  Opcode opcode = Opcode::Return;
  ScalarType type = ScalarType::I32;
  CodePoint at;
  CodePlace place;
  CodePlace call; ///< Where the kernel or host called the function of it; line 0: in itself.
  uint8_t valueCount = 0;
  uint8_t viewCount = 0;
  uint16_t absent = 0; ///< Bit i: value i was left out.
  ScalarBits values[kMaxOperands] = {};
  View views[4];
  std::vector<ScalarBits> args; ///< Of a launch: the scalar and the view parameters of the kernel.
  std::vector<View> viewArgs;
  std::string text; ///< Of print: with its values filled in.

  [[nodiscard]] bool has(unsigned value) const {
    return value < valueCount && !(absent >> value & 1u);
  }
  [[nodiscard]] ScalarBits valueOr(unsigned value, ScalarBits other) const {
    return has(value) ? values[value] : other;
  }
  void addValue(ScalarBits bits) { values[valueCount++] = bits; }
};

enum class Progress : uint8_t {
  Done,    ///< The agent goes on at `timePs` with `value`.
  Blocked, ///< Ask again when something that concerns the agent has happened.
  Trapped, ///< The run ends with `trap`.
};

/// The answer to a request.
struct Completion {
  Progress progress = Progress::Done;
  int64_t timePs = 0;
  ScalarBits value = 0;
  std::optional<Trap> trap;

  [[nodiscard]] static Completion done(int64_t timePs, ScalarBits value = 0) {
    return {Progress::Done, timePs, value, std::nullopt};
  }
  [[nodiscard]] static Completion blocked() { return {Progress::Blocked, 0, 0, std::nullopt}; }
  [[nodiscard]] static Completion trapped(Trap trap) {
    return {Progress::Trapped, 0, 0, std::move(trap)};
  }
};

} // namespace pto

#endif
