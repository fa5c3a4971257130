//===- reach.h - whether a way leads to another rank ------------*- C++ -*-===//
#ifndef PTO_PORT_REACH_H
#define PTO_PORT_REACH_H

#include "port/trap.h"
#include "target/topology.h"

namespace pto {

/// What PTO's own instructions need: that the link between the two ranks carries the transport.
/// Absent: it does. `what` names the instruction.
[[nodiscard]] std::optional<Trap> checkLink(const Topology &topology, Transport by, int32_t from,
                                            int32_t to, llvm::StringRef what);

/// The transport of a call of SHMEM, or why none leads there.
struct Way {
  std::optional<Transport> by;
  std::optional<Trap> trap;
};
[[nodiscard]] Way wayOf(Platform platform, const Topology &topology, Route route, int32_t from,
                        int32_t to);

} // namespace pto

#endif
