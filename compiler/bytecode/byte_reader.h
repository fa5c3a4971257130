//===- byte_reader.h - the inward direction of layout.h ---------*- C++ -*-===//
#ifndef PTO_BYTECODE_BYTE_READER_H
#define PTO_BYTECODE_BYTE_READER_H

#include "diag/rule.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <limits>
#include <string>
#include <type_traits>

namespace pto {

/// Takes values off hostile bytes. The first problem is kept; from then on every value is zero and
/// every list empty, so that the layout reads as a straight line and asks once, at the end.
/// Memory grows with the bytes consumed, never with a number that they claim.
class ByteReader {
public:
  template <typename T> using Ref = T &;

  explicit ByteReader(llvm::StringRef bytes) : bytes_(bytes) {}

  template <typename T> void number(T &value) {
    static_assert(std::is_unsigned_v<T>);
    value = T(take(std::numeric_limits<T>::max(), "a number"));
  }
  template <typename T> void signedNumber(T &value) {
    uint64_t bits = take(std::numeric_limits<uint64_t>::max(), "a number");
    int64_t wide = int64_t(bits >> 1 ^ (0 - (bits & 1)));
    value = T(wide);
    if (value != wide)
      fail("a number is too large");
  }
  void flag(bool &value) { value = take(1, "a flag") != 0; }
  void text(std::string &value);
  template <typename Enum> void enumerator(Enum &value, unsigned count, const char *what) {
    value = Enum(take(count - 1, what));
  }
  void operand(uint32_t &value, bool isOptional) {
    value = uint32_t(take(std::numeric_limits<uint32_t>::max(), "an operand")) - isOptional;
  }
  void rule(Rule &value);

  template <typename List, typename Each>
  void list(List &items, uint32_t limit, const char *what, Each each) {
    // Every item takes a byte at least, so a claim beyond what is left is refused at once.
    for (uint64_t left = count(limit, what); left != 0 && !failed(); --left)
      each(items.emplace_back());
  }
  /// The length is that of a list already read, so bytes stand behind it.
  template <typename List, typename Each> void listOf(List &items, size_t length, Each each) {
    for (; length != 0 && !failed(); --length)
      each(items.emplace_back());
  }

  [[nodiscard]] bool failed() const { return !problem_.empty(); }
  /// The first problem, if there was one or if bytes are left over.
  [[nodiscard]] llvm::Error finish();

private:
  /// An unsigned LEB128 number in its shortest form, at most `max`.
  uint64_t take(uint64_t max, const char *what);
  uint64_t count(uint32_t limit, const char *what);
  void fail(const llvm::Twine &problem);

  llvm::StringRef bytes_;
  size_t next_ = 0;
  std::string problem_;
};

} // namespace pto

#endif
