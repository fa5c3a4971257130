//===- module.h - a program as the machine runs it --------------*- C++ -*-===//
//
// Independent of the number of ranks: where a window's shape depends on `ranks`, the extent says
// how. A module that came from outside is run only after verify() (verify.h) accepted it.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BYTECODE_MODULE_H
#define PTO_BYTECODE_MODULE_H

#include "bytecode/opcode.h"
#include "diag/rule.h"

#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace pto {

struct Instruction {
  Opcode opcode;
  ScalarType type = ScalarType::I32; ///< Meaningful where the row is typed.
  uint32_t operands[kMaxOperands] = {};
};

/// A size that may depend on the number of ranks: perRank * ranks + fixed.
struct Extent {
  int64_t perRank = 0;
  int64_t fixed = 0;
  [[nodiscard]] int64_t at(int64_t ranks) const { return perRank * ranks + fixed; }
  bool operator==(const Extent &) const = default;
};

struct Constant {
  ScalarType type;
  ScalarBits bits;
  bool operator==(const Constant &) const = default;
};

/// A source position: file is an index into Module::files, line and column count from 1.
struct CodePlace {
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t length = 1;
  bool operator==(const CodePlace &) const = default;
};

/// A window or a local: GM that every rank owns at the same offset.
struct Object {
  std::string name;
  ScalarType type = ScalarType::I32;
  bool isSignal = false;              ///< Words of the type `signal`; they start at 0.
  bool isLocal = false;               ///< Not addressable by other ranks.
  bool isHost = false;                ///< In the memory of the host: no kernel's.
  uint32_t align = 32;                ///< Bytes, a power of two.
  llvm::SmallVector<Extent, 2> shape; ///< 0 to 5 dimensions; none: one element.
  bool hasInit = false;
  ScalarBits init = 0; ///< The value of every element at start, where hasInit.
  CodePlace place;
};

enum class FunctionKind : uint8_t { Function, Kernel, Host };

struct Function {
  std::string name;
  FunctionKind kind = FunctionKind::Function;
  bool hasResult = false; ///< The result is r0, or v0 where resultIsView.
  bool resultIsView = false;
  uint32_t scalarParams = 0; ///< They follow the result in the scalar registers.
  uint32_t viewParams = 0;
  std::vector<RegisterType> registers; ///< Types of the scalar registers.
  uint32_t viewCount = 0;
  uint32_t ubBytes = 0; ///< UB of this function's own tiles that are placed automatically.
  std::vector<Instruction> code;
  std::vector<CodePlace> places; ///< One an instruction.
  CodePlace place;
};

/// What `pto run` and `pto test` start.
struct Entry {
  std::string name;
  bool isTest = false;
  uint32_t function = 0;
  int32_t ranks = 0; ///< 0: not stated, the default applies.
  int32_t blocks = 0;
  uint64_t seed = 0;
  bool hasSeed = false;
  std::string target;              ///< Empty: not stated.
  std::string topology;            ///< Empty: not stated.
  std::string transports;          ///< "MTE,ROCE"; empty: all that the target has.
  int32_t servers = 0;             ///< Ranks of one server; 0: all.
  std::vector<std::string> faults; ///< "link 1->0 at 3ms", as hixl/incident.h reads it.
  std::vector<Rule> expectedViolations;
  CodePlace place;
};

struct Module {
  std::vector<std::string> files;
  std::vector<std::string> strings;
  std::vector<Constant> constants;
  std::vector<Object> objects;
  std::vector<Function> functions;
  std::vector<Entry> entries;
};

} // namespace pto

#endif
