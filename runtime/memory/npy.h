//===- npy.h - arrays in files ----------------------------------*- C++ -*-===//
//
// NumPy's .npy, version 1.0: C order, little endian, the types of scalar.def; bf16, which NumPy
// does not have, is '<u2'. What is read is hostile: every number is bounded by the file's size.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_MEMORY_NPY_H
#define PTO_MEMORY_NPY_H

#include "base/scalar.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace pto {

/// What the header of a file says, and where its data begins.
struct NpyHeader {
  std::string dtype; ///< "<f4"
  llvm::SmallVector<int64_t, 5> shape;
  size_t dataBegin = 0;
};

[[nodiscard]] llvm::StringRef npyType(ScalarType type);
[[nodiscard]] llvm::Expected<NpyHeader> parseNpy(llvm::StringRef bytes);
/// Reads a file into `into`, which has the bytes of an array of the type and shape.
[[nodiscard]] llvm::Error readNpy(const std::string &path, ScalarType type,
                                  llvm::ArrayRef<int64_t> shape,
                                  llvm::MutableArrayRef<uint8_t> into);
[[nodiscard]] llvm::Error writeNpy(const std::string &path, ScalarType type,
                                   llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<uint8_t> data);

} // namespace pto

#endif
