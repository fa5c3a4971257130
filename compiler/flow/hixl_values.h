//===- hixl_values.h - what host code computes, as far as it is known -*- C++ -*-===//
#ifndef PTO_FLOW_HIXL_VALUES_H
#define PTO_FLOW_HIXL_VALUES_H

#include "flow/hixl_state.h"

namespace pto::flow_detail {

/// On one rank. Nothing here calls anything: a call has no value but the one that its walk gives
/// it.
class HostValues {
public:
  HostValues(const program::Program &program, std::optional<int32_t> rank,
             std::optional<int32_t> ranks)
      : program_(program), rank_(rank), ranks_(ranks) {}

  [[nodiscard]] Value valueOf(const Expr &expr, const HostState &state) const;
  [[nodiscard]] static Value combine(BinaryOp op, const program::Type &type, Value a, Value b,
                                     const HostState &state);
  [[nodiscard]] static Value combine(UnaryOp op, Value a);
  /// A text whose holes are all known.
  [[nodiscard]] std::optional<std::string> textOf(const Expr *text, const HostState &state) const;
  /// The bytes of a view, as far as constants tell them.
  [[nodiscard]] ByteRange rangeOf(const Expr &view) const;
  [[nodiscard]] std::string objectName(const ByteRange &range) const {
    return range.object < 0 ? "?" : program_.objects[size_t(range.object)].name;
  }

  /// Room for what an `initialize` makes of one name, empty at first.
  [[nodiscard]] EngineFacts &facts(const Expr &call, const std::optional<std::string> &name) const {
    return facts_[{&call, name}];
  }

private:
  const program::Program &program_;
  std::optional<int32_t> rank_, ranks_;
  mutable std::map<std::pair<const Expr *, std::optional<std::string>>, EngineFacts> facts_;
};

/// Whether two values are equal, if that is known.
[[nodiscard]] std::optional<bool> areEqual(Value a, Value b, const HostState &state);

/// What a condition says of a value: on this path it is, or is not, that number. False: it cannot.
bool assume(const Expr &expr, Value is, HostState &state);

} // namespace pto::flow_detail

#endif
