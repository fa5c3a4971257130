//===- baseline.h - findings that are known and not reported ----*- C++ -*-===//
#ifndef PTO_TOOLS_BASELINE_H
#define PTO_TOOLS_BASELINE_H

#include "pto/command.h"

#include "llvm/Support/JSON.h"

#include <map>

namespace pto {

/// What `--write-baseline` wrote: findings by file, rule and fingerprint, and how many of each. It
/// holds no positions, so it stays true while lines move.
class Baseline {
public:
  /// Reads the file; refuses what is no baseline in one sentence.
  [[nodiscard]] static llvm::Expected<Baseline> read(const std::string &path);
  /// That of all findings.
  [[nodiscard]] static Baseline of(const Sources &sources, llvm::ArrayRef<Finding> findings);
  [[nodiscard]] llvm::Error write(const std::string &path) const;

  /// Takes the known findings out, and gives what was known and what is stale among the files that
  /// were read.
  [[nodiscard]] BaselineUse filter(const Sources &sources, std::vector<Finding> &findings);
  /// Syntax errors hide what stands behind them, so they are never known.
  [[nodiscard]] static bool takes(const Finding &finding);

private:
  /// File, slug, fingerprint.
  using Key = std::array<std::string, 3>;
  struct Entry {
    size_t count = 0;
    std::string message; ///< For people; not compared.
  };
  [[nodiscard]] llvm::Error take(const llvm::json::Value &row);

  std::map<Key, Entry> entries_; ///< Written and told in its order.
};

} // namespace pto

#endif
