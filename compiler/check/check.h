//===- check.h - syntax trees to a checked program --------------*- C++ -*-===//
//
// The entry of the check room.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_CHECK_H
#define PTO_CHECK_CHECK_H

#include "ast/node.h"
#include "diag/sink.h"
#include "program/program.h"
#include "target/platform.h"

#include <optional>

namespace pto {

/// One file of a compilation. Imported files come before the files that import them; the last one
/// is the file that was asked for.
struct Unit {
  const ast::File *file = nullptr;
  struct Import {
    std::string alias; ///< The module's name in this file.
    size_t unit = 0;
    const ast::ImportItem *item = nullptr;
  };
  std::vector<Import> imports;
};

struct CheckOptions {
  std::vector<std::pair<std::string, std::string>> defines; ///< -D name=value
  std::optional<int32_t> ranks; ///< --ranks: `ranks` is then a constant.
  /// --ranks and --blocks, which win over the settings of hosts and tests; names stay names.
  std::optional<int32_t> worldRanks, worldBlocks;
  std::optional<Target> target; ///< --target: also for entries that state none.
  /// The target is a run's default: what no entry reaches is not held to it.
  bool isDefaultTarget = false;
};

/// Checks everything that can be decided before running. Always yields a program; it may be lowered
/// only if the sink has no errors.
[[nodiscard]] std::unique_ptr<program::Program>
check(llvm::ArrayRef<Unit> units, const CheckOptions &options, const Sources &sources, Sink &sink);

} // namespace pto

#endif
