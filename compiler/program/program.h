//===- program.h - a checked program ----------------------------*- C++ -*-===//
//
// Names are resolved, types agree, generic functions are instances, constants are folded. Whatever
// is here can be lowered; what could not be decided carries a plant.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_PROGRAM_PROGRAM_H
#define PTO_PROGRAM_PROGRAM_H

#include "base/operator.h"
#include "base/source.h"
#include "builtin/intrinsic.h"
#include "program/type.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Allocator.h"

#include <memory>
#include <string>
#include <vector>

namespace pto::program {

enum class ExprKind : uint8_t {
#define PTO_EXPR(Name, Fields) Name,
#include "program/node.def"
};
enum class StmtKind : uint8_t {
#define PTO_STMT(Name, Fields) Name,
#include "program/node.def"
};
[[nodiscard]] llvm::StringRef name(ExprKind kind);
[[nodiscard]] llvm::StringRef name(StmtKind kind);

enum class WorldValue : uint8_t { Rank, Ranks, Block, Blocks };
[[nodiscard]] llvm::StringRef name(WorldValue value);
/// How an expectation compares; the numbers are those of bytecode.
enum class ExpectOp : uint8_t { Equal, NotEqual, Nearly, Less, LessEqual, Greater, GreaterEqual };

/// A check that the compiler could not decide and leaves to the run.
enum class PlantKind : uint8_t { Flat, Fits, NotEmpty, SamePeer, Apart };
struct Plant {
  PlantKind kind;
  int8_t first;  ///< Parameter of the intrinsic that is checked.
  int8_t second; ///< The other one, or -1.
};

struct Function;

struct Variable {
  llvm::StringRef name;
  Type type;
  bool isMutable = false;
  bool isParam = false;
  SourceRange range;
  Affine value;    ///< Integers that never change: their value.
  ViewFacts facts; ///< Views and tiles.
  // Sessions: what is known of how they were built; -1 where it is not.
  int64_t blockBytes = -1;
  int64_t queues = -1;
};

/// One checked expression; which fields count is in node.def.
struct Expr {
  ExprKind kind = ExprKind::Error;
  bool isLiteral = false; ///< A literal, or literals alone: takes the type that is wanted.
  Type type;
  SourceRange range;
  llvm::ArrayRef<Expr *> ops;
  ScalarBits bits = 0;
  uint32_t number = 0;
  llvm::StringRef text;
  Variable *variable = nullptr;
  Function *function = nullptr;
  Intrinsic intrinsic = Intrinsic(0);
  llvm::ArrayRef<Plant> plants;
  Affine value;                     ///< Integers.
  const ViewFacts *facts = nullptr; ///< Views and tiles; never null for them.
};

struct Stmt {
  StmtKind kind;
  SourceRange range;
  llvm::ArrayRef<Stmt *> body;
  llvm::ArrayRef<Stmt *> otherwise;
  Variable *variable = nullptr;
  Expr *value = nullptr;
  llvm::ArrayRef<Expr *> ops;
  llvm::ArrayRef<Variable *> indices;
  llvm::ArrayRef<Expr *> indexExtents; ///< One an index: its upper bound.
  Expr *where = nullptr;
  Expr *blocks = nullptr;
  Expr *stream = nullptr;
  uint32_t number = 0;
  int64_t rows = 0, cols = 0;
  llvm::StringRef text;
  Function *function = nullptr;
};

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
  Side side = Side::Both; ///< Where this instance runs.
  bool isTest = false; ///< Host code whose statements step together on all ranks.
  Type result = Type::none();
  ViewFacts resultFacts;
  llvm::SmallVector<Variable *, 4> params;
  std::vector<Variable *> variables; ///< All of the body, params included.
  llvm::ArrayRef<Stmt *> body;
  SourceRange range;    ///< The name, or the test's title.
  SourceRange end;      ///< The closing brace.
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
  std::vector<uint16_t> expectedViolations; ///< Numbers of rules, in the order of the table.
  SourceRange range;
};

/// Owns all of it. Functions stand in the order in which they were checked, so callees come first.
class Program {
public:
  std::vector<Object> objects;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<Entry> entries;
  /// Constructs that only the run can decide, as a person reads them: "flatness of src at a.pto:3:1".
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
  std::vector<std::shared_ptr<void>> owned_; ///< Nodes hold vectors, so they need their destructors.
};

} // namespace pto::program

#endif
