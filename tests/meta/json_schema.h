//===- json_schema.h - the part of JSON Schema that the project uses -*- C++ -*-===//
#ifndef PTO_TESTS_META_JSON_SCHEMA_H
#define PTO_TESTS_META_JSON_SCHEMA_H

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace pto::test {

/// What of a value does not follow its schema, a line each as `path: what`. Knows type, enum,
/// properties, required, additionalProperties and items; any other keyword but a comment is an
/// error of the schema, so that no rule of it is silently not held.
[[nodiscard]] std::vector<std::string> schemaErrors(const llvm::json::Value &schema,
                                                    const llvm::json::Value &value);

} // namespace pto::test

#endif
