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

/// Whether the platform has no transport of a call of SHMEM.
[[nodiscard]] bool lacksTransport(const program::Expr &call, Platform platform);
/// Reports a call of SHMEM that no transport of the platform carries; it has a route.
void checkTransport(const program::Expr &call, Platform platform, Sink &sink);

} // namespace pto::check_detail

#endif
