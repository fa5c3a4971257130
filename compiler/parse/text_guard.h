//===- text_guard.h - is this a text of the language at all? ----*- C++ -*-===//
#ifndef PTO_PARSE_TEXT_GUARD_H
#define PTO_PARSE_TEXT_GUARD_H

#include "diag/sink.h"

namespace pto {

/// Reports a text that is binary, not UTF-8 or PTO IR; false if it should not be read further.
[[nodiscard]] bool guardText(const Sources &sources, FileId file, Sink &sink);

} // namespace pto

#endif
