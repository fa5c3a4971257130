//===- tables.h - the rows of HIXL as text ----------------------*- C++ -*-===//
#ifndef PTO_HIXL_TABLES_H
#define PTO_HIXL_TABLES_H

namespace llvm {
class raw_ostream;
}

namespace pto {

/// Statuses, engines and what differs between them, options, limits, protocols and directions.
void writeHixlTables(llvm::raw_ostream &out);

} // namespace pto

#endif
