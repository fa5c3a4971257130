#include "bytecode/byte_reader.h"

#include "llvm/Support/LEB128.h"

namespace pto {

void ByteReader::fail(const llvm::Twine &problem) {
  if (!failed())
    problem_ =
        ("damaged: " + problem + ", at byte " + llvm::Twine(next_) + " of the payload").str();
}

uint64_t ByteReader::take(uint64_t max, const char *what) {
  if (failed())
    return 0;
  const auto *from = bytes_.bytes_begin() + next_;
  unsigned length = 0;
  const char *error = nullptr;
  uint64_t value = llvm::decodeULEB128(from, &length, bytes_.bytes_end(), &error);
  if (error) {
    fail(llvm::Twine("it ends inside ") + what);
    return 0;
  }
  // One value has one form: a last byte of zero would only pad it.
  if (value > max || (length > 1 && from[length - 1] == 0)) {
    fail(llvm::Twine(what) + " is out of range");
    return 0;
  }
  next_ += length;
  return value;
}

uint64_t ByteReader::count(uint32_t limit, const char *what) {
  uint64_t claimed = take(std::numeric_limits<uint64_t>::max(), what);
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
