//===- hixl_options.h - what `initialize` makes of constants -------*- C++ -*-===//
#ifndef PTO_FLOW_HIXL_OPTIONS_H
#define PTO_FLOW_HIXL_OPTIONS_H

#include "flow/hixl_act.h"

namespace pto::flow_detail {

/// The options and the name, read as the model reads them; kept by the walk of the host.
[[nodiscard]] const EngineFacts *factsOf(const HixlAct &act);
/// What `initialize` returns, as far as its text and the engines of its own host decide. That a
/// port is free on the other hosts is taken for granted.
[[nodiscard]] HixlStatus refusalOf(const HixlAct &act);
/// Whether no endpoint of the engine leads to the memory that is to be registered.
[[nodiscard]] bool registersNowhere(const HixlAct &act);

/// Reports what the options and the name have wrong on every path.
void judgeOptions(const Expr &expr, llvm::ArrayRef<HixlAct> paths, HixlReports &reports);

} // namespace pto::flow_detail

#endif
