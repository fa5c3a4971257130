//===- scan.h - tokens for the parser, faults of single tokens --*- C++ -*-===//
//
// What can be said of a text token by token is said here, before the parser runs: characters that
// belong to no token, strings and comments without an end, and brackets nested so deeply that a
// recursive parser would exhaust its stack.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PARSE_SCAN_H
#define PTO_PARSE_SCAN_H

#include "parse/token_stream.h"

#include "diag/sink.h"

namespace pto {

struct ScannedText {
  TokenStream tokens;
  std::vector<SourceRange> docs;     ///< The `///` lines, in order.
  std::vector<uint32_t> faultyLines; ///< Lines that have a finding already, ascending.
  bool tooDeep = false;              ///< Must not be parsed.
};

void scan(const Sources &sources, FileId file, Sink &sink, ScannedText &into);

} // namespace pto

#endif
