//===- targets.h - what a target refuses ------------------------*- C++ -*-===//
//
// Private to the check room. Looks at the functions that an entry reaches, against the entry's
// target; without one it says of each construct which targets refuse it.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_TARGETS_H
#define PTO_CHECK_TARGETS_H

#include "diag/sink.h"
#include "program/program.h"
#include "target/platform.h"

namespace pto::check_detail {

void checkTargets(const program::Program &program, const std::optional<Target> &target,
                  bool isDefault, Sink &sink);

} // namespace pto::check_detail

#endif
