//===- byte_writer.h - the outward direction of layout.h --------*- C++ -*-===//
#ifndef PTO_BYTECODE_BYTE_WRITER_H
#define PTO_BYTECODE_BYTE_WRITER_H

#include "base/check.h"
#include "diag/rule.h"

#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace pto {

/// Appends values to a stream of bytes. The calls are those of ByteReader; what bounds and names a
/// value there is of no use here.
class ByteWriter {
public:
  template <typename T> using Ref = const T &;

  explicit ByteWriter(llvm::raw_ostream &out) : out_(out) {}

  void number(uint64_t value) { llvm::encodeULEB128(value, out_); }
  /// Zigzag, so that small negative numbers stay short.
  void signedNumber(int64_t value) { number(uint64_t(value) << 1 ^ uint64_t(value >> 63)); }
  void flag(bool value) { number(value); }
  void text(const std::string &value) {
    number(value.size());
    out_ << value;
  }
  template <typename Enum> void enumerator(Enum value, unsigned, const char *) {
    number(uint64_t(value));
  }
  /// Absent is 0 and all others one up; uint32_t wraps kNoOperand to 0.
  void operand(uint32_t value, bool isOptional) { number(isOptional ? value + 1u : value); }
  /// Rules travel as their ids, which never change.
  void rule(Rule value) { number(info(value).id); }

  template <typename List, typename Each>
  void list(const List &items, uint32_t, const char *, Each each) {
    number(items.size());
    for (const auto &item : items)
      each(item);
  }
  /// As list, where the reader knows the length already.
  template <typename List, typename Each> void listOf(const List &items, size_t length, Each each) {
    PTO_CHECK(items.size() == length, "a list that must go with another has another length");
    for (const auto &item : items)
      each(item);
  }

private:
  llvm::raw_ostream &out_;
};

} // namespace pto

#endif
