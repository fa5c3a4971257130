//===- flow.h - the rules of order inside one kernel, or one host -*- C++ -*-===//
//
// The entries of the flow room. Each kernel of a checked program is followed step by step; what
// lacks an order that the chip needs is a finding, what may lack it is an unknown of the program.
// Each host that calls HIXL is followed too; what is wrong on all of its paths is a finding.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_FLOW_FLOW_H
#define PTO_FLOW_FLOW_H

#include "diag/sink.h"
#include "program/program.h"
#include "target/platform.h"

namespace pto {

/// Cost is linear in the size of the program for what people write; a kernel that is too large to
/// follow is named among the unknowns.
void followKernels(program::Program &program, const Sources &sources, Sink &sink);

/// What a run takes where an entry states nothing else.
struct HostOptions {
  Platform platform = Platform::A3;
  std::optional<int32_t> ranks; ///< Of the command line: it wins.
};
/// Hosts that call HIXL. What an entry expects of its run is not said of it before.
void followHosts(program::Program &program, const HostOptions &options, const Sources &sources,
                 Sink &sink);

} // namespace pto

#endif
