//===- finding.h - one thing that pto says, as data -------------*- C++ -*-===//
//
// A finding carries its places as file, line and column, so that it can come from source text, from
// bytecode without text, and go into JSON alike.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_DIAG_FINDING_H
#define PTO_DIAG_FINDING_H

#include "diag/rule.h"

#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace pto {

/// A place as it is reported. Line and column count from 1; line 0 means "no place in a text".
struct Place {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t length = 1; ///< Bytes to underline, at least 1; never past the end of the line.
};

/// A place and the agent that was there. Only findings of a run have rank, block and time.
struct Site {
  Place place;
  std::string role; ///< "waits here", "declared here"; empty for the primary site.
  int32_t rank = -1;
  int32_t block = -1;
  int64_t timePs = -1;
};

/// Replace the bytes [begin, end) of a file by text.
struct Fix {
  std::string file;
  uint32_t begin = 0;
  uint32_t end = 0;
  std::string text;
  std::string label; ///< "insert `dcci(x);`"
};

struct Finding {
  Rule rule;
  Severity severity;
  std::string message;
  std::string mend;                 ///< The row's advice with its slots filled.
  std::vector<Site> sites;          ///< The primary one first; at least one.
  std::vector<std::string> details; ///< Lines of a report below the caret: tables, waiters.
  std::vector<Fix> fixes;
  uint64_t again = 0; ///< Of a run: how often the same cause was met once more.
};

/// "12.346 us": how a report writes a time of a run.
[[nodiscard]] std::string timeText(int64_t ps);

} // namespace pto

#endif
