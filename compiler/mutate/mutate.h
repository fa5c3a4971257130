//===- mutate.h - a program with one synchronising step less ------*- C++ -*-===//
//
// The entry of the mutate room. It measures the audit: a clean program is made wrong in one place,
// and a run of it should say so.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_MUTATE_MUTATE_H
#define PTO_MUTATE_MUTATE_H

#include "program/program.h"

#include <string>
#include <vector>

namespace pto {

enum class Mutation : uint8_t {
#define PTO_MUTATION(Enum, Place, Intrinsic, Change, Text) Enum,
#include "mutate/mutation.def"
  DropAfter, ///< `op(...) after t` no longer waits.
  DropSync,  ///< `sync;` of a host.
};
[[nodiscard]] llvm::StringRef text(Mutation mutation);

/// One change at one place of the text; all instances of a generic function change alike.
struct Mutant {
  Mutation mutation;
  SourceRange at;
  bool operator==(const Mutant &) const = default;
};

/// All that can be done to a program, in order of its functions and statements.
[[nodiscard]] std::vector<Mutant> mutantsOf(const program::Program &program);
void mutate(program::Program &program, const Mutant &mutant);

} // namespace pto

#endif
