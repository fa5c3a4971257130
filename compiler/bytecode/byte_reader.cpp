#include "bytecode/byte_reader.h"

namespace pto {

void ByteReader::fail(const llvm::Twine &problem) {
  if (!failed())
    problem_ =
        ("damaged: " + problem + ", at byte " + llvm::Twine(next_) + " of the payload").str();
}

uint64_t ByteReader::take(uint64_t max, const char *what) {
  constexpr unsigned kBitsPerByte = 7, kContinues = 0x80;
  uint64_t value = 0;
  uint8_t byte = kContinues;
  for (unsigned shift = 0; byte & kContinues && !failed(); shift += kBitsPerByte) {
    if (next_ == bytes_.size()) {
      fail(llvm::Twine("it ends inside ") + what);
      break;
    }
    byte = uint8_t(bytes_[next_++]);
    uint64_t bits = byte & ~kContinues;
    // One value has one form, so a last byte of zero, which would only pad it, is refused too.
    if (shift > 63 || bits << shift >> shift != bits || (byte == 0 && shift != 0))
      fail(llvm::Twine(what) + " is no number");
    else
      value |= bits << shift;
  }
  if (!failed() && value > max)
    fail(llvm::Twine(what) + " is out of range");
  return failed() ? 0 : value;
}

uint64_t ByteReader::count(uint32_t limit, const char *what) {
  uint64_t claimed = take(std::numeric_limits<uint64_t>::max(), "a count");
  if (claimed > limit)
    fail(llvm::Twine("it has ") + llvm::Twine(claimed) + " " + what + ", the limit is " +
         llvm::Twine(limit));
  else if (claimed > bytes_.size() - next_)
    fail(llvm::Twine("it ends inside its ") + what);
  return failed() ? 0 : claimed;
}

void ByteReader::text(std::string &value) {
  uint64_t size = count(std::numeric_limits<uint32_t>::max(), "characters");
  value = bytes_.substr(next_, size).str();
  next_ += size;
}

void ByteReader::rule(Rule &value) {
  uint64_t id = take(std::numeric_limits<uint16_t>::max(), "a rule");
  for (size_t i = 0; i != rules().size() && !failed(); ++i)
    if (rules()[i].id == id) {
      value = Rule(i);
      return;
    }
  fail("rule " + llvm::Twine(id) + " does not exist");
}

llvm::Error ByteReader::finish() {
  if (next_ != bytes_.size())
    fail("bytes are left over");
  if (!failed())
    return llvm::Error::success();
  return llvm::createStringError(llvm::inconvertibleErrorCode(), problem_);
}

} // namespace pto
