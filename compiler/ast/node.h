//===- node.h - the syntax tree, derived from node.def ----------*- C++ -*-===//
//
// Plain structs in an arena. A node never owns anything and is never freed alone. A null child
// means that the text had none there; whoever walks the tree must expect it.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_AST_NODE_H
#define PTO_AST_NODE_H

#include "base/check.h"
#include "base/operator.h"
#include "base/source.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Casting.h"

namespace pto::ast {

using pto::BinaryOp;
using pto::precedence;
using pto::spelling;
using pto::UnaryOp;

enum class NodeKind : uint8_t {
#define PTO_NODE(Name, Category, Fields) Name,
#include "ast/node.def"
};
[[nodiscard]] llvm::StringRef name(NodeKind kind);

enum class Category : uint8_t { Item, Stmt, Expr, Type, Part };

struct Node {
  NodeKind kind;
  SourceRange range;
  explicit Node(NodeKind kind) : kind(kind) {}
};

/// The common bases that children are typed by.
struct Allow;
struct Item : Node {
  using Node::Node;
  llvm::ArrayRef<Allow *> allows; ///< The attributes written before it.
  llvm::StringRef doc;            ///< The `///` lines before it, with their slashes.
  SourceRange nameRange;          ///< Where the name stands, for messages about the declaration.
};
struct Stmt : Node {
  using Node::Node;
  llvm::ArrayRef<Allow *> allows;
};
struct Expr : Node {
  using Node::Node;
};
struct Type : Node {
  using Node::Node;
};
struct Part : Node {
  using Node::Node;
};

#define ONE(Category, name) Category *name = nullptr;
#define MANY(Category, name) llvm::ArrayRef<Category *> name;
#define TEXT(name) llvm::StringRef name;
#define FLAG(name) bool name = false;
#define OP(Type, name) Type name = Type(0);
#define PTO_NODE(Name, Category, Fields)                                                           \
  struct Name : Category {                                                                         \
    static constexpr NodeKind kKind = NodeKind::Name;                                              \
    Name() : Category(kKind) {}                                                                    \
    static bool classof(const Node *node) { return node->kind == kKind; }                          \
    Fields                                                                                         \
  };
#include "ast/node.def"
#undef ONE
#undef MANY
#undef TEXT
#undef FLAG
#undef OP

/// Calls `visit` with the node as its own type: visit(const ast::LetStmt &).
template <typename Visitor> decltype(auto) dispatch(const Node &node, Visitor &&visit) {
  switch (node.kind) {
#define PTO_NODE(Name, Category, Fields)                                                           \
  case NodeKind::Name:                                                                             \
    return visit(static_cast<const Name &>(node));
#include "ast/node.def"
  }
  PTO_UNREACHABLE("node kind");
}

/// Calls `visitor` for each field of a node in source order: one(name, child), many(name,
/// children), text(name, value), flag(name, value), op(name, spelling).
template <typename Visitor> void forEachField(const Node &node, Visitor &visitor) {
  switch (node.kind) {
#define ONE(Category, name) visitor.one(#name, self.name);
#define MANY(Category, name) visitor.many(#name, self.name);
#define TEXT(name) visitor.text(#name, self.name);
#define FLAG(name) visitor.flag(#name, self.name);
#define OP(Type, name) visitor.op(#name, spelling(self.name));
#define PTO_NODE(Name, Category, Fields)                                                           \
  case NodeKind::Name: {                                                                           \
    [[maybe_unused]] const auto &self = static_cast<const Name &>(node);                           \
    Fields return;                                                                                 \
  }
#include "ast/node.def"
#undef ONE
#undef MANY
#undef TEXT
#undef FLAG
#undef OP
  }
}

/// A parsed file and the arena of its nodes. Texts of nodes point into Sources, or, where the
/// parser had to make one, into the arena.
class File {
public:
  FileId source = FileId::None;
  llvm::ArrayRef<Item *> items;
  /// Whether the text had syntax errors; the tree then lacks what could not be read.
  bool isBroken = false;

  template <typename T> T *make(SourceRange range) {
    T *node = new (arena_.Allocate<T>()) T();
    node->range = range;
    return node;
  }
  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> from) { return from.copy(arena_); }
  llvm::StringRef copy(llvm::StringRef text) { return text.copy(arena_); }

private:
  llvm::BumpPtrAllocator arena_;
};

} // namespace pto::ast

#endif
