//===- asm_scanner.h - words and numbers off a line of text -----*- C++ -*-===//
#ifndef PTO_BYTECODE_ASM_SCANNER_H
#define PTO_BYTECODE_ASM_SCANNER_H

#include "bytecode/module.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace pto {

/// Goes over a text line by line. The first problem is kept with its line; from then on every value
/// is zero or empty and there are no more lines. Spaces and remarks in parentheses are skipped.
class AsmScanner {
public:
  explicit AsmScanner(llvm::StringRef text) : rest_(text) {}

  /// To the next line that is not blank, if this one was read to its end.
  [[nodiscard]] bool nextLine();

  /// Whether the line goes on with the token, and if so past it.
  [[nodiscard]] bool accept(llvm::StringRef token);
  void expect(llvm::StringRef token);
  /// A run of word characters, possibly empty.
  [[nodiscard]] llvm::StringRef word();
  /// All up to the next space, comma, `;` or `(`.
  [[nodiscard]] llvm::StringRef token();
  [[nodiscard]] std::string quoted();
  /// A word or a quoted text.
  [[nodiscard]] std::string name();
  [[nodiscard]] uint64_t number(uint64_t max);
  [[nodiscard]] int64_t signedNumber();
  [[nodiscard]] ScalarType scalarType();
  [[nodiscard]] ScalarBits scalar(ScalarType type);
  [[nodiscard]] Extent extent();
  /// The index of a row, which must be the number of rows before it.
  void index(size_t expected);
  /// `; [file:]line:column[+length]`; where no file is written, `file` stays.
  [[nodiscard]] CodePlace place(uint32_t &file);

  void fail(const llvm::Twine &problem);
  [[nodiscard]] bool failed() const { return !problem_.empty(); }
  [[nodiscard]] llvm::Error takeError() const;

private:
  void skip();
  void skipRemark();
  /// Says what should be here, and what is.
  void failAt(const llvm::Twine &expected);

  llvm::StringRef rest_; ///< The lines after this one.
  llvm::StringRef line_; ///< What is left of this one.
  unsigned lineNumber_ = 0;
  std::string problem_;
};

} // namespace pto

#endif
