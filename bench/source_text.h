//===- source_text.h - ordinary programs of any size ------------*- C++ -*-===//
#ifndef PTO_BENCH_SOURCE_TEXT_H
#define PTO_BENCH_SOURCE_TEXT_H

#include <cstddef>
#include <string>

namespace pto {

/// A program without findings of at least so many bytes: windows, functions, kernels and tests as
/// people write them, under ever new names.
[[nodiscard]] std::string makeSource(size_t bytes);

} // namespace pto

#endif
