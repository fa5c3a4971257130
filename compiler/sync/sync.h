//===- sync.h - the order of `sync auto` -----------------------*- C++ -*-===//
//
// The entry of the sync room. A kernel that says `sync auto` leaves the order of its pipes, its
// publications and its cache lines to the compiler: what the flow rules would miss is written into
// its body, as statements like any other. `pto dump --stage program` marks them.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_SYNC_SYNC_H
#define PTO_SYNC_SYNC_H

#include "program/program.h"

namespace pto {

void insertSync(program::Program &program);

} // namespace pto

#endif
