//===- byte_stream.h - a text as ANTLR reads it -----------------*- C++ -*-===//
//
// The lexer reads the bytes of a Sources text in place: no copy, and token positions are byte
// offsets. Bytes past ASCII matter only inside comments and strings, where any byte does, so they
// are all shown as one ASCII stand-in; the lexer's tables then stay small and fast.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PARSE_BYTE_STREAM_H
#define PTO_PARSE_BYTE_STREAM_H

#include "antlr4-runtime.h"

#include "llvm/ADT/StringRef.h"

namespace pto {

class ByteStream final : public antlr4::CharStream {
public:
  /// `start` is where reading begins, behind a byte-order mark for example.
  explicit ByteStream(llvm::StringRef text, size_t start = 0) : text_(text), at_(start) {}

  void consume() override { ++at_; }
  size_t LA(ssize_t distance) override {
    size_t index = distance > 0 ? at_ + size_t(distance) - 1 : at_ - size_t(-distance);
    if (index >= text_.size())
      return EOF;
    auto byte = static_cast<unsigned char>(text_[index]);
    return byte < 0x80 ? byte : kBeyondAscii;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return at_; }
  void seek(size_t index) override { at_ = index; }
  size_t size() override { return text_.size(); }
  [[nodiscard]] std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval &interval) override {
    return text_.slice(size_t(interval.a), size_t(interval.b) + 1).str();
  }
  [[nodiscard]] std::string toString() const override { return text_.str(); }

private:
  static constexpr size_t kBeyondAscii = 0x7f; ///< DEL, named in PtoLexer's rule BAD.

  llvm::StringRef text_;
  size_t at_;
};

} // namespace pto

#endif
