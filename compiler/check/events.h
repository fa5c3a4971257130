//===- events.h - whether every transfer is waited for ----------*- C++ -*-===//
//
// Private to the check room. A flow analysis over one checked body: what is posted and not yet
// covered by a wait, on every path to every end. One wait covers what its ordering domain holds:
// the session for SDMA, the session and one peer for URMA and RDMA.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_EVENTS_H
#define PTO_CHECK_EVENTS_H

#include "diag/sink.h"
#include "program/program.h"

namespace pto::check_detail {

void checkEvents(const program::Function &function, program::Program &program,
                 const Sources &sources, Sink &sink);

} // namespace pto::check_detail

#endif
