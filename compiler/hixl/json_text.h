//===- json_text.h - JSON inside options, from anywhere ---------*- C++ -*-===//
//
// The text is hostile until it is read: its size and nesting are bounded before LLVM's reader,
// which recurses, sees it. That reader keeps a number's value and not its digits, but 4.0 is no
// integer for HIXL, and a waterline is counted in decimals. So a number that is not written as an
// integer is handed over as a string that begins with a character no text has.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_HIXL_JSON_TEXT_H
#define PTO_HIXL_JSON_TEXT_H

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace pto {

struct HixlJson {
  std::optional<llvm::json::Value> value;
  std::string why; ///< Of a text that is none: "it is empty".
};
[[nodiscard]] HixlJson parseHixlJson(llvm::StringRef text);

/// 5 or "5".
[[nodiscard]] std::optional<int64_t> integerIn(const llvm::json::Value &value);
/// The digits of 0.3 or "0.3" as they are written; absent where it is neither.
[[nodiscard]] std::optional<std::string> digitsIn(const llvm::json::Value &value);
/// A string that was written as one.
[[nodiscard]] std::optional<llvm::StringRef> stringIn(const llvm::json::Value &value);
/// The value as a message shows it: `"2"`, `0.5`, `an array`.
[[nodiscard]] std::string shown(const llvm::json::Value &value);

/// Digits and nothing else, as an int64.
[[nodiscard]] std::optional<int64_t> plainInteger(llvm::StringRef text);
/// A text of a user, in single quotes, printable and cut where it is long.
[[nodiscard]] std::string quoted(llvm::StringRef text);

} // namespace pto

#endif
