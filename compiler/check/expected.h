//===- expected.h - errors that the tests of a program are about -*- C++ -*-===//
//
// A test with `expect violation(slug)` may be about a mistake that is found before running. If
// every host and test that reaches the function with the mistake expects it, it is no reason to
// refuse the whole file: these tests alone are refused, and that is what they wanted.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_EXPECTED_H
#define PTO_CHECK_EXPECTED_H

#include "check/check.h"

namespace pto {

/// An entry that does not run, and the expected errors that are why.
struct Refusal {
  program::Entry entry; ///< Without a function.
  std::vector<Finding> findings;
};

/// Takes the errors that are expected everywhere out of the sink. Where none is left, the entries
/// that reach them go into `refusals`, and leave the program with all that cannot be lowered.
void refuseExpected(program::Program &program, const Sources &sources, Sink &sink,
                    std::vector<Refusal> &refusals);

} // namespace pto

#endif
