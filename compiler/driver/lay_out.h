//===- lay_out.h - a text to its one layout ---------------------*- C++ -*-===//
#ifndef PTO_DRIVER_LAY_OUT_H
#define PTO_DRIVER_LAY_OUT_H

#include "diag/sink.h"

#include <optional>
#include <string>

namespace pto {

/// Parses and formats a text. A text with errors has no layout: they go to the sink. What comes out
/// has been read again, and has the tokens and comments of the text in their order.
[[nodiscard]] std::optional<std::string> layOut(const Sources &sources, FileId file, Sink &sink);

} // namespace pto

#endif
