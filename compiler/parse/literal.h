//===- literal.h - is a literal a value? ------------------------*- C++ -*-===//
#ifndef PTO_PARSE_LITERAL_H
#define PTO_PARSE_LITERAL_H

#include "diag/sink.h"

namespace pto {

/// Each reports a literal that stands for no value.
void checkInteger(const Sources &sources, SourceRange at, Sink &sink);
void checkFloat(const Sources &sources, SourceRange at, Sink &sink);
/// A string with its quotes: the escapes in it.
void checkString(const Sources &sources, SourceRange at, Sink &sink);

} // namespace pto

#endif
