//===- check.h - our own bugs -----------------------------------*- C++ -*-===//
//
// The fourth channel of failure: a broken invariant of pto itself. The other three are a finding
// (the program is wrong), llvm::Expected (the environment failed) and a trap (the run misbehaved).
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BASE_CHECK_H
#define PTO_BASE_CHECK_H

namespace pto {

/// Says which invariant broke and where, and ends the process with exit code 4.
[[noreturn]] void internalError(const char *file, int line, const char *what);

} // namespace pto

/// States an invariant of pto's own code. Never used for anything that an input can cause.
#define PTO_CHECK(condition, what)                                                                 \
  ((condition) ? (void)0 : ::pto::internalError(__FILE__, __LINE__, what))

#define PTO_UNREACHABLE(what) ::pto::internalError(__FILE__, __LINE__, what)

#endif
