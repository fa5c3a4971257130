//===- npy_bytes.h - .npy files, right and wrong ----------------*- C++ -*-===//
#ifndef PTO_TESTS_TOOLS_NPY_BYTES_H
#define PTO_TESTS_TOOLS_NPY_BYTES_H

#include <string>

namespace pto::test {

/// What a .npy file says of itself; the defaults are four f32: 0, 1, 2, 3.
struct NpyBytes {
  std::string type = "<f4";
  std::string isFortran = "False";
  std::string shape = "(4,)";
  std::string data = std::string("\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40", 16);
  int headerBytes = -1; ///< What the length field says; -1: the truth.

  [[nodiscard]] std::string text() const {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + isFortran + ", 'shape': " + shape + ", }";
    header.append(63 - (10 + header.size()) % 64, ' ');
    header += '\n';
    size_t length = headerBytes < 0 ? header.size() : size_t(headerBytes);
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += char(length & 255);
    bytes += char(length >> 8);
    return bytes + header + data;
  }
};

} // namespace pto::test

#endif
