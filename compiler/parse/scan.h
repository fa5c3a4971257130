//===- scan.h - tokens for the parser, faults of single tokens --*- C++ -*-===//
//
// What can be said of a text token by token is said here, before the parser runs: characters that
// belong to no token, strings and comments without an end, and what would exhaust the parser:
// brackets nested too deeply for its stack, declarations too long for its memory.
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
  bool isRefused = false;            ///< Must not be parsed.
  bool isCut = false;                ///< The tokens end before the text does.
};

void scan(const Sources &sources, FileId file, Sink &sink, ScannedText &into);

} // namespace pto

#endif
