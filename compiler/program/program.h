//===- program.h - a checked program ----------------------------*- C++ -*-===//
//
// Names are resolved, types agree, generic functions are instances, constants are folded. Whatever
// is here can be lowered; what could not be decided carries a plant.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PROGRAM_PROGRAM_H
#define PTO_PROGRAM_PROGRAM_H

#include "program/node.h"

#include "llvm/Support/Allocator.h"

#include <memory>
#include <string>
#include <vector>

namespace pto::program {

/// An object's size in one dimension: perRank * ranks + fixed.
struct ObjectExtent {
  int64_t perRank = 0;
  int64_t fixed = 0;
};

struct Object {
  std::string name;
  Type type; ///< A symmetric or local view.
  llvm::SmallVector<ObjectExtent, 2> shape;
  uint32_t align = 0;
  bool isLocal = false;
  bool isHost = false; ///< In the memory of the host.
  bool hasInit = false;
  ScalarBits init = 0;
  SourceRange range;
  ViewFacts facts;
};

enum class FunctionKind : uint8_t { Function, Kernel, Host };

/// A kernel, a host, a test, or one instance of a function.
struct Function {
  std::string name;
  FunctionKind kind = FunctionKind::Function;
  Side side = Side::Both;  ///< Where this instance runs.
  bool isSyncAuto = false; ///< A kernel whose barriers the compiler writes.
  bool isTest = false;     ///< Host code whose statements step together on all ranks.
  Type result = Type::none();
  ViewFacts resultFacts;
  llvm::SmallVector<Variable *, 4> params;
  std::vector<Variable *> variables; ///< All of the body, params included.
  llvm::ArrayRef<Stmt *> body;
  SourceRange range; ///< The name, or the test's title.
  SourceRange end;   ///< The closing brace.
};

struct Entry {
  std::string name;
  bool isTest = false;
  Function *function = nullptr;
  int32_t ranks = 0;
  int32_t blocks = 0;
  bool hasSeed = false;
  uint64_t seed = 0;
  std::string target;
  SourceRange targetRange;
  std::string topology;   ///< Empty: not stated.
  std::string transports; ///< What SHMEM asks for when it begins; empty: all that the target has.
  int32_t servers = 0;    ///< Ranks of one server; 0: all.
  std::vector<std::string> faults;          ///< Of HIXL: "link 1->0 at 3ms".
  std::vector<uint16_t> expectedViolations; ///< Numbers of rules, in the order of the table.
  SourceRange range;
};

/// Owns all of it. Functions stand in the order in which they were checked, so callees come first.
class Program {
public:
  std::vector<Object> objects;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<Entry> entries;
  /// Constructs that only the run can decide, as a person reads them: "flatness of src at
  /// a.pto:3:1".
  std::vector<std::string> unknowns;

  template <typename T, typename... Args> T *make(Args &&...args) {
    auto owned = std::make_shared<T>(std::forward<Args>(args)...);
    T *raw = owned.get();
    owned_.push_back(std::move(owned));
    return raw;
  }
  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> from) { return from.copy(arena_); }
  llvm::StringRef copy(llvm::StringRef from) { return from.copy(arena_); }

private:
  llvm::BumpPtrAllocator arena_;
  std::vector<std::shared_ptr<void>>
      owned_; ///< Nodes hold vectors, so they need their destructors.
};

} // namespace pto::program

#endif
