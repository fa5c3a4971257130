//===- embedded.h - files that the build puts into the program --*- C++ -*-===//
#ifndef PTO_BASE_EMBEDDED_H
#define PTO_BASE_EMBEDDED_H

namespace pto {

/// One file as the build found it. Tables of them end with an empty name.
struct EmbeddedFile {
  const char *name; ///< Relative to the folder that was embedded, with '/'.
  const char *text; ///< UTF-8.
};

} // namespace pto

#endif
