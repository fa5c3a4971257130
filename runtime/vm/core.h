//===- core.h - one agent that runs bytecode --------------------*- C++ -*-===//
//
// A core of a rank with one block of a kernel, or a rank's host. It owns its registers, its frames
// and its local time; everything else it asks for (request.h).
//
//===----------------------------------------------------------------------===//
#ifndef PTO_VM_CORE_H
#define PTO_VM_CORE_H

#include "memory/layout.h"
#include "port/request.h"

namespace pto {

/// One call. Bases are indices into the core's register files.
struct Frame {
  uint32_t function = 0;
  uint32_t pc = 0;
  uint32_t scalarBase = 0;
  uint32_t viewBase = 0;
  uint32_t result = 0; ///< The caller's register that takes r0 or v0 at the return.
  int64_t ubBase = 0;  ///< Tiles of the function lie from here on.
};

/// What is the same for all agents of a run.
struct Machine {
  const Module &module;
  const Layout &layout;
  const PlatformInfo &platform;
  int32_t ranks = 1;
};

struct Core {
  int32_t rank = 0;
  int32_t block = 0;
  int32_t blocks = 1;
  int64_t timePs = 0;
  uint64_t steps = 0; ///< Instructions so far.
  std::vector<ScalarBits> scalars;
  std::vector<View> views;
  std::vector<Frame> frames;           ///< Empty: the core is done.
  std::vector<std::string> formatArgs; ///< Queued for the next print or assertion.
  Request request;
  uint32_t destination = kNoOperand; ///< The scalar that the completion's value goes to.
};

inline constexpr unsigned kMaxCallDepth = 64;

} // namespace pto

#endif
