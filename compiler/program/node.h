//===- node.h - expressions and statements of a checked program -*- C++ -*-===//
#ifndef PTO_PROGRAM_NODE_H
#define PTO_PROGRAM_NODE_H

#include "base/operator.h"
#include "base/source.h"
#include "builtin/intrinsic.h"
#include "program/type.h"

#include "llvm/ADT/ArrayRef.h"

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
  Affine value;          ///< Integers that never change: their value.
  ViewFacts facts;       ///< Views and tiles.
  bool hasValid = false; ///< A tile whose declaration has `valid`, so that its region may change.
  // Sessions: what is known of how they were built; -1 where it is not.
  int64_t blockBytes = -1;
  int64_t queues = -1;
  int64_t sessionOffset = -1;
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
  bool isInserted = false; ///< Written by the compiler for `sync auto`.
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

} // namespace pto::program

#endif
