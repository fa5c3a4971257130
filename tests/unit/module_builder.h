//===- module_builder.h - bytecode written in C++, for tests ----*- C++ -*-===//
//
// Functions are built one after the other; every instruction stands on a line of its own of the file
// "test.pto", numbered through the module from 1.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TESTS_UNIT_MODULE_BUILDER_H
#define PTO_TESTS_UNIT_MODULE_BUILDER_H

#include "bytecode/verify.h"
#include "world/world.h"

#include <gtest/gtest.h>

namespace pto::testing {

using enum ScalarType;

class Builder;

/// The function that is being written.
class Code {
public:
  Code(Builder &builder, uint32_t index) : builder_(builder), index_(index) {}

  [[nodiscard]] uint32_t index() const { return index_; }
  [[nodiscard]] Function &function();
  uint32_t reg(RegisterType type) {
    function().registers.push_back(type);
    return uint32_t(function().registers.size() - 1);
  }
  uint32_t reg(ScalarType type) { return reg(registerType(type)); }
  uint32_t view() { return function().viewCount++; }
  /// The next instruction's index, for labels.
  [[nodiscard]] uint32_t here() { return uint32_t(function().code.size()); }
  /// Appends an instruction; gives its index, so that a label can be patched.
  uint32_t op(Opcode opcode, std::initializer_list<uint32_t> operands = {}, ScalarType type = I32);
  void patch(uint32_t instruction, unsigned operand, uint32_t label) { function().code[instruction].operands[operand] = label; }

  // What nearly every test needs.
  uint32_t number(double value, ScalarType type = I32);
  uint32_t rank() { return into(I32, Opcode::Rank); }
  uint32_t binary(Opcode opcode, uint32_t a, uint32_t b, ScalarType type = I32) {
    uint32_t d = reg(type);
    op(opcode, {d, a, b}, type);
    return d;
  }
  /// (rank + by) % ranks
  uint32_t neighbour(int by = 1) {
    return binary(Opcode::Rem, binary(Opcode::Add, rank(), number(by)), into(I32, Opcode::Ranks));
  }
  uint32_t object(uint32_t object) {
    uint32_t v = view();
    op(Opcode::ObjectView, {v, object});
    return v;
  }
  uint32_t peer(uint32_t of, uint32_t rank) {
    uint32_t v = view();
    op(Opcode::Peer, {v, of, rank});
    return v;
  }
  uint32_t element(uint32_t of, uint32_t at) {
    uint32_t v = view();
    op(Opcode::Index, {v, of, 0, at});
    return v;
  }
  uint32_t tile(ScalarType type, uint32_t rows, uint32_t cols, uint32_t offset = 0) {
    uint32_t v = view();
    op(Opcode::Tile, {v, rows, cols, offset, 1}, type);
    return v;
  }
  uint32_t session(DmaEngine engine, uint32_t blockBytes = kNoOperand, uint32_t queues = kNoOperand, uint32_t group = kNoOperand);
  uint32_t put(uint32_t dst, uint32_t src, uint32_t session) { return posted(Opcode::TputAsync, {dst, src, session}); }
  uint32_t putNotify(uint32_t dst, uint32_t src, uint32_t sig, int value, NotifyOp how, uint32_t session) {
    uint32_t v = number(value);
    return posted(Opcode::TputAsyncNotify, {dst, src, sig, v, uint32_t(how), session});
  }
  uint32_t wait(uint32_t event) {
    uint32_t ok = reg(Bool);
    op(Opcode::Wait, {ok, event});
    return ok;
  }
  void notify(uint32_t sig, int value, NotifyOp how) {
    uint32_t v = number(value);
    op(Opcode::Tnotify, {sig, v, uint32_t(how)});
  }
  void twait(uint32_t sig, int value, WaitCmp cmp, uint32_t from = kNoOperand) {
    uint32_t v = number(value);
    op(Opcode::Twait, {sig, v, uint32_t(cmp), from});
  }
  uint32_t load(uint32_t element, ScalarType type = I32) {
    uint32_t d = reg(type);
    op(Opcode::Load, {d, element}, type);
    return d;
  }
  /// Prints "text value".
  void print(const std::string &text, uint32_t value, ScalarType type = I32);
  void launch(const Code &kernel, uint32_t blocks = kNoOperand, uint32_t stream = kNoOperand) {
    op(Opcode::Launch, {kernel.index(), 0, 0, blocks, stream});
  }
  void ret() { op(Opcode::Return); }
  /// for i in 0..count: body(i)
  template <typename Body> void loop(uint32_t count, Body body) {
    uint32_t i = reg(I32);
    op(Opcode::Move, {i, number(0)});
    uint32_t top = here();
    uint32_t exit = op(Opcode::JumpUnless, {binaryCompare(i, count), 0});
    body(i);
    op(Opcode::Add, {i, i, number(1)});
    op(Opcode::Jump, {top});
    patch(exit, 1, here());
  }

private:
  uint32_t into(ScalarType type, Opcode opcode) {
    uint32_t d = reg(type);
    op(opcode, {d});
    return d;
  }
  uint32_t binaryCompare(uint32_t a, uint32_t b) {
    uint32_t less = reg(Bool);
    op(Opcode::Less, {less, a, b});
    return less;
  }
  uint32_t posted(Opcode opcode, std::vector<uint32_t> rest) {
    uint32_t event = reg(RegisterType::Event);
    rest.insert(rest.begin(), event);
    uint32_t at = op(opcode);
    std::copy(rest.begin(), rest.end(), function().code[at].operands);
    return event;
  }

  Builder &builder_;
  uint32_t index_;
};

class Builder {
public:
  Builder() { module.files = {"test.pto"}; }

  uint32_t window(const std::string &name, ScalarType type, llvm::SmallVector<Extent, 2> shape, bool isSignal = false) {
    Object object;
    object.name = name;
    object.type = type;
    object.isSignal = isSignal;
    object.align = isSignal ? 4 : 32;
    object.shape = std::move(shape);
    module.objects.push_back(std::move(object));
    return uint32_t(module.objects.size() - 1);
  }
  uint32_t signal(const std::string &name, llvm::SmallVector<Extent, 2> shape = {}) { return window(name, I32, std::move(shape), true); }
  Code function(const std::string &name, FunctionKind kind) {
    Function function;
    function.name = name;
    function.kind = kind;
    module.functions.push_back(std::move(function));
    return Code(*this, uint32_t(module.functions.size() - 1));
  }
  Code kernel(const std::string &name) { return function(name, FunctionKind::Kernel); }
  Code host() {
    Code code = function("main", FunctionKind::Host);
    Entry entry;
    entry.name = "main";
    entry.function = code.index();
    module.entries.push_back(entry);
    return code;
  }
  uint32_t text(const std::string &text) {
    module.strings.push_back(text);
    return uint32_t(module.strings.size() - 1);
  }

  Module module;
  uint32_t line = 0;
};

inline Function &Code::function() { return builder_.module.functions[index_]; }

inline uint32_t Code::op(Opcode opcode, std::initializer_list<uint32_t> operands, ScalarType type) {
  Instruction instruction{opcode, type, {}};
  std::copy(operands.begin(), operands.end(), instruction.operands);
  function().code.push_back(instruction);
  function().places.push_back({0, ++builder_.line, 3, 1});
  return here() - 1;
}

inline uint32_t Code::number(double value, ScalarType type) {
  builder_.module.constants.push_back({type, fromDouble(type, value)});
  uint32_t d = reg(type);
  op(Opcode::Const, {d, uint32_t(builder_.module.constants.size() - 1)}, type);
  return d;
}

inline uint32_t Code::session(DmaEngine engine, uint32_t blockBytes, uint32_t queues, uint32_t group) {
  uint32_t scratch = tile(U8, 1, 256);
  uint32_t id = number(0), s = reg(RegisterType::Session);
  op(Opcode::Session, {s, scratch, uint32_t(engine), id, blockBytes, kNoOperand, queues, group});
  return s;
}

inline void Code::print(const std::string &text, uint32_t value, ScalarType type) {
  op(Opcode::FormatArg, {value}, type);
  op(Opcode::Print, {builder_.text(text + " {}")});
}

/// What a run of a module's only entry gave.
struct Ran {
  std::vector<Finding> findings;
  std::string printed;
  std::string trace;
  std::string error;
  int64_t timePs = 0;
  std::vector<Event> events;
  [[nodiscard]] std::string slugs() const {
    std::string text = error;
    for (const Finding &finding : findings)
      text += (text.empty() ? "" : " ") + info(finding.rule).slug.str();
    return text;
  }
  /// A finding as text: message, sites, details.
  [[nodiscard]] std::string text() const {
    std::string text = error;
    for (const Finding &finding : findings) {
      text += info(finding.rule).slug.str() + ": " + finding.message + "\n";
      for (const Site &site : finding.sites)
        text += "  at line " + std::to_string(site.place.line) + " rank " + std::to_string(site.rank) + " block " +
                std::to_string(site.block) + (site.role.empty() ? "" : " " + site.role) + "\n";
      for (const std::string &line : finding.details)
        text += "  | " + line + "\n";
    }
    return text;
  }
};

inline Target targetNamed(llvm::StringRef text) { return llvm::cantFail(parseTarget(text)); }

inline Ran runModule(const Builder &builder, RunOptions options = {}) {
  Ran ran;
  if (llvm::Error bad = verify(builder.module)) {
    ran.error = "verify: " + llvm::toString(std::move(bad));
    return ran;
  }
  llvm::raw_string_ostream out(ran.printed);
  llvm::Expected<RunResult> result = run(builder.module, builder.module.entries.front(), options, out);
  if (!result) {
    ran.error = llvm::toString(result.takeError());
    return ran;
  }
  ran.findings = std::move(result->findings);
  ran.timePs = result->timePs;
  ran.events = result->trace.events().vec();
  llvm::raw_string_ostream trace(ran.trace);
  writeChromeTrace(trace, result->trace);
  printTrace(trace, result->trace);
  return ran;
}

} // namespace pto::testing

#endif
