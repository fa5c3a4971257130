//===- descent.h - the limit of depth ---------------------------*- C++ -*-===//
#ifndef PTO_PARSE_DESCENT_H
#define PTO_PARSE_DESCENT_H

#include "parse/parse.h"

namespace pto {

/// Holds while the builder is `levels` deeper in the tree. Long chains of operators count like
/// brackets, since the tree of either is as deep, and later stages walk it by recursion. Reports
/// what is too deep, if it is given a sink.
class Descent {
public:
  Descent(size_t &depth, size_t levels, SourceRange at, Sink *sink)
      : depth_(depth), levels_(levels) {
    depth_ += levels_;
    if (isTooDeep() && sink)
      sink->report<Rule::NestingTooDeep>(SourceRange{at.file, at.begin, at.begin + 1}, depth_,
                                         kMaxDepth);
  }
  ~Descent() { depth_ -= levels_; }
  Descent(const Descent &) = delete;
  Descent &operator=(const Descent &) = delete;

  [[nodiscard]] bool isTooDeep() const { return depth_ > kMaxDepth; }

  /// A statement in a block and an argument in a call are two nodes for one bracket.
  static constexpr size_t kMaxDepth = size_t(kMaxNesting) * 2;

private:
  size_t &depth_;
  size_t levels_;
};

} // namespace pto

#endif
