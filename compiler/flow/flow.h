//===- flow.h - the rules of order inside one kernel --------------*- C++ -*-===//
//
// The entry of the flow room. Each kernel of a checked program is followed step by step; what lacks
// an order that the chip needs is a finding, what may lack it is an unknown of the program.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_FLOW_FLOW_H
#define PTO_FLOW_FLOW_H

#include "diag/sink.h"
#include "program/program.h"

namespace pto {

/// Cost is linear in the size of the program for what people write; a kernel that is too large to
/// follow is named among the unknowns.
void followKernels(program::Program &program, const Sources &sources, Sink &sink);

} // namespace pto

#endif
