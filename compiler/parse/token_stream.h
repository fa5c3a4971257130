//===- token_stream.h - the tokens that the parser reads --------*- C++ -*-===//
//
// All visible tokens of a text in one array, small enough that ten megabytes of anything fit. The
// last one is always the end of the text.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PARSE_TOKEN_STREAM_H
#define PTO_PARSE_TOKEN_STREAM_H

#include "antlr4-runtime.h"

#include <vector>

namespace pto {

class SourceToken final : public antlr4::Token {
public:
  SourceToken(size_t type, uint32_t begin, uint32_t end, uint32_t index)
      : begin(begin), end(end), index(index), type_(int32_t(type)) {}

  uint32_t begin; ///< Byte offsets, half open.
  uint32_t end;
  uint32_t index; ///< Position in its stream.

  /// The end of the text is -1 in four bytes and the largest size_t to ANTLR.
  [[nodiscard]] size_t getType() const override { return size_t(ssize_t(type_)); }
  [[nodiscard]] size_t getStartIndex() const override { return begin; }
  [[nodiscard]] size_t getStopIndex() const override { return size_t(end) - 1; }
  [[nodiscard]] size_t getTokenIndex() const override { return index; }

  // What only ANTLR's own messages ask for, which are never made.
  [[nodiscard]] std::string getText() const override { return {}; }
  [[nodiscard]] std::string toString() const override { return {}; }
  [[nodiscard]] size_t getLine() const override { return 0; }
  [[nodiscard]] size_t getCharPositionInLine() const override { return 0; }
  [[nodiscard]] size_t getChannel() const override { return DEFAULT_CHANNEL; }
  [[nodiscard]] antlr4::TokenSource *getTokenSource() const override { return nullptr; }
  [[nodiscard]] antlr4::CharStream *getInputStream() const override { return nullptr; }

private:
  int32_t type_;
};

class TokenStream final : public antlr4::TokenStream {
public:
  void reserve(size_t count) { tokens_.reserve(count); }
  void add(size_t type, uint32_t begin, uint32_t end) {
    tokens_.emplace_back(type, begin, end, uint32_t(tokens_.size()));
  }

  [[nodiscard]] const SourceToken &operator[](size_t index) const {
    return tokens_[std::min(index, tokens_.size() - 1)];
  }
  [[nodiscard]] const SourceToken &current() const { return tokens_[at_]; }
  [[nodiscard]] bool isEmpty() const { return tokens_.empty(); }
  [[nodiscard]] const SourceToken &last() const { return tokens_.back(); }
  /// The token before the current one; the current one itself at the start.
  [[nodiscard]] const SourceToken &previous() const { return tokens_[at_ ? at_ - 1 : 0]; }
  [[nodiscard]] const SourceToken &ahead(size_t distance) const { return (*this)[at_ + distance]; }

  void consume() override { at_ += at_ + 1 < tokens_.size(); }
  size_t LA(ssize_t distance) override { return LT(distance)->getType(); }
  antlr4::Token *LT(ssize_t distance) override {
    ssize_t index = ssize_t(at_) + distance - (distance > 0);
    if (index < 0)
      return nullptr;
    return &tokens_[std::min(size_t(index), tokens_.size() - 1)];
  }
  [[nodiscard]] antlr4::Token *get(size_t index) const override {
    return const_cast<SourceToken *>(&(*this)[index]);
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return at_; }
  void seek(size_t index) override { at_ = index; }
  size_t size() override { return tokens_.size(); }

  [[nodiscard]] std::string getSourceName() const override { return {}; }
  [[nodiscard]] antlr4::TokenSource *getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval &) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext *) override { return {}; }
  std::string getText(antlr4::Token *, antlr4::Token *) override { return {}; }

private:
  std::vector<SourceToken> tokens_;
  size_t at_ = 0;
};

} // namespace pto

#endif
