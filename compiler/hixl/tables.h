//===- tables.h - the rows of HIXL as text ----------------------*- C++ -*-===//
#ifndef PTO_HIXL_TABLES_H
#define PTO_HIXL_TABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace pto {

/// Tables that belong together, and the name to ask for them.
struct HixlTable {
  llvm::StringLiteral name;
  void (*write)(llvm::raw_ostream &out);
};

/// Statuses, engines and what differs between them, options, limits, protocols and directions.
[[nodiscard]] llvm::ArrayRef<HixlTable> hixlTables();

} // namespace pto

#endif
