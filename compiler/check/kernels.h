//===- kernels.h - rules about whole kernels and their launches -*- C++ -*-===//
//
// Private to the check room. What one body cannot tell: what the functions of a kernel do together,
// and what its launches make of ranks and blocks.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_KERNELS_H
#define PTO_CHECK_KERNELS_H

#include "check/check.h"

namespace pto::check_detail {

/// Adds to a finding what `--fix` would write in place of a range.
void addFix(Finding &finding, const Sources &sources, SourceRange at, llvm::StringRef text,
            llvm::StringRef label);

/// Every flag that a kernel waits for is raised somewhere in it, and every raised one awaited.
void checkFlags(const program::Program &program, Sink &sink);
/// Tiles that are placed `at` an offset lie apart from those that are in use with them.
void checkTilePlaces(const program::Program &program, Sink &sink);
/// Walks hosts and the kernels that they launch once for each rank and block, with the values that
/// follow from the settings; what fails in every run of such an entry is said.
void checkLaunches(const program::Program &program, const CheckOptions &options,
                   const Sources &sources, Sink &sink);

} // namespace pto::check_detail

#endif
