#include "ast/print.h"

#include "llvm/ADT/StringExtras.h"

namespace pto::ast {

namespace {
/// First the scalars, on the node's own line; then the children below it.
struct ScalarFields {
  llvm::raw_ostream &out;
  void one(llvm::StringRef, const Node *) {}
  template <typename T> void many(llvm::StringRef, llvm::ArrayRef<T *>) {}
  void text(llvm::StringRef name, llvm::StringRef value) {
    if (value.empty())
      return;
    out << ' ' << name << "=\"";
    llvm::printEscapedString(value, out);
    out << '"';
  }
  void flag(llvm::StringRef name, bool value) {
    if (value)
      out << ' ' << name;
  }
  void op(llvm::StringRef name, llvm::StringRef spelling) { out << ' ' << name << '=' << spelling; }
};

struct ChildFields {
  llvm::raw_ostream &out;
  unsigned indent;
  void label(llvm::StringRef name) { out.indent(indent) << name << ":\n"; }
  void one(llvm::StringRef name, const Node *child) {
    if (!child)
      return;
    label(name);
    print(out, *child, indent + 2);
  }
  template <typename T> void many(llvm::StringRef name, llvm::ArrayRef<T *> children) {
    if (children.empty())
      return;
    label(name);
    for (const Node *child : children)
      if (child)
        print(out, *child, indent + 2);
  }
  void text(llvm::StringRef, llvm::StringRef) {}
  void flag(llvm::StringRef, bool) {}
  void op(llvm::StringRef, llvm::StringRef) {}
};
} // namespace

void print(llvm::raw_ostream &out, const Node &node, unsigned indent) {
  out.indent(indent) << name(node.kind);
  ScalarFields scalars{out};
  forEachField(node, scalars);
  out << '\n';
  ChildFields children{out, indent + 2};
  forEachField(node, children);
}

void print(llvm::raw_ostream &out, const File &file) {
  for (const Item *item : file.items)
    print(out, *item);
}

} // namespace pto::ast
