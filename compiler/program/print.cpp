#include "program/print.h"

#include "base/check.h"

#include "llvm/ADT/StringExtras.h"

namespace pto::program {

llvm::StringRef name(ExprKind kind) {
  static constexpr llvm::StringLiteral kNames[] = {
#define PTO_EXPR(Name, Fields) #Name,
#include "program/node.def"
  };
  return kNames[size_t(kind)];
}

llvm::StringRef name(StmtKind kind) {
  static constexpr llvm::StringLiteral kNames[] = {
#define PTO_STMT(Name, Fields) #Name,
#include "program/node.def"
  };
  return kNames[size_t(kind)];
}

llvm::StringRef name(WorldValue value) {
  static constexpr llvm::StringLiteral kNames[] = {"rank", "ranks", "block", "blocks"};
  return kNames[size_t(value)];
}

static std::string list(const Program &program, llvm::ArrayRef<Expr *> exprs,
                        llvm::StringRef between = ", ") {
  std::string out;
  for (const Expr *expr : exprs)
    out += (out.empty() ? "" : between.str()) + (expr ? text(program, *expr) : std::string("_"));
  return out;
}

/// The plants of an instruction, as in `[planted: Flat src]`.
static std::string plantsText(const Expr &expr) {
  static constexpr llvm::StringLiteral kNames[] = {"flat", "fits", "not empty", "same peer",
                                                   "apart"};
  std::string out;
  for (const Plant &plant : expr.plants)
    out += (out.empty() ? " [planted: " : ", ") + kNames[size_t(plant.kind)].str() + " " +
           info(expr.intrinsic).params[size_t(plant.first)].name.str();
  return out.empty() ? out : out + "]";
}

/// Texts and ranges, as calls of HIXL take them.
static std::string stagedText(const Program &program, const Expr &expr) {
  std::string ops = list(program, expr.ops);
  if (expr.kind == ExprKind::String)
    return "\"" + expr.text.str() + "\"" + (expr.ops.empty() ? "" : ops);
  if (expr.kind == ExprKind::PairsOver)
    return "pairs(" + ops + " over " + expr.variable->name.str() + ")";
  return llvm::StringRef(name(expr.kind)).lower() + "(" + ops + ")";
}

static std::string viewText(const Program &program, const Expr &expr) {
  std::string base = text(program, *expr.ops[0]);
  std::string rest = list(program, expr.ops.drop_front());
  switch (expr.kind) {
  case ExprKind::Peer:
    return base + "@(" + rest + ")";
  case ExprKind::Index:
    return base + "[dim " + std::to_string(expr.number) + ": " + rest + "]";
  case ExprKind::Slice:
    return base + "[dim " + std::to_string(expr.number) + ": range " + rest + "]";
  case ExprKind::Extent:
    return "extent(" + base + ", " + std::to_string(expr.number) + ")";
  default:
    return llvm::StringRef(name(expr.kind)).lower() + "(" + base + ", " + rest + ")";
  }
}

std::string text(const Program &program, const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Error:
    return "<error>";
  case ExprKind::Constant:
    return formatScalar(expr.type.scalar, expr.bits) + ":" + info(expr.type.scalar).name.str();
  case ExprKind::EnumValue:
    if (expr.type.isScalar())
      return info(expr.type.scalar).name.str();
    return info(expr.type.isaEnum).valueName(expr.bits).str();
  case ExprKind::String:
  case ExprKind::TextMap:
  case ExprKind::Pairs:
  case ExprKind::PairsOver:
    return stagedText(program, expr);
  case ExprKind::Variable:
    return expr.variable->name.str();
  case ExprKind::World:
    return name(WorldValue(expr.number)).str();
  case ExprKind::Unary:
    return spelling(UnaryOp(expr.number)).str() + text(program, *expr.ops[0]);
  case ExprKind::Binary:
    return "(" + list(program, expr.ops, " " + spelling(BinaryOp(expr.number)).str() + " ") + ")";
  case ExprKind::Convert:
    return info(expr.type.scalar).name.str() + "(" + list(program, expr.ops) + ")";
  case ExprKind::Call:
    return expr.function->name + "(" + list(program, expr.ops) + ")";
  case ExprKind::Intrinsic:
    return info(expr.intrinsic).name.str() + "(" + list(program, expr.ops) + ")" + plantsText(expr);
  case ExprKind::Session:
    return text(expr.type) + "(" + list(program, expr.ops) + ")";
  case ExprKind::Group:
  case ExprKind::Hash:
    return llvm::StringRef(name(expr.kind)).lower() + "(" + list(program, expr.ops) + ")";
  case ExprKind::Object:
    return program.objects[expr.number].name;
  default:
    return viewText(program, expr);
  }
}

namespace {
class Printer {
public:
  Printer(llvm::raw_ostream &out, const Program &program) : out_(out), program_(program) {}

  void statements(llvm::ArrayRef<Stmt *> body) {
    indent_ += 2;
    for (const Stmt *stmt : body)
      statement(*stmt);
    indent_ -= 2;
  }

private:
  void statement(const Stmt &stmt) {
    out_.indent(indent_) << llvm::StringRef(name(stmt.kind)).lower();
    if (stmt.variable)
      out_ << ' ' << stmt.variable->name << ": "
           << text(stmt.variable->type, &stmt.variable->facts);
    if (stmt.function)
      out_ << ' ' << stmt.function->name;
    if (!stmt.indices.empty()) {
      out_ << " over";
      for (const Variable *index : stmt.indices)
        out_ << ' ' << index->name;
    }
    if (stmt.value)
      out_ << ' ' << text(program_, *stmt.value);
    if (!stmt.ops.empty())
      out_ << " (" << list(program_, stmt.ops) << ')';
    if (stmt.where)
      out_ << " where " << text(program_, *stmt.where);
    if (!stmt.text.empty()) {
      out_ << " \"";
      llvm::printEscapedString(stmt.text, out_);
      out_ << '"';
    }
    out_ << (stmt.isInserted ? "  // sync auto\n" : "\n");
    statements(stmt.body);
    if (stmt.otherwise.empty())
      return;
    out_.indent(indent_) << "else\n";
    statements(stmt.otherwise);
  }

  llvm::raw_ostream &out_;
  const Program &program_;
  unsigned indent_ = 0;
};
} // namespace

void print(llvm::raw_ostream &out, const Program &program, const Function &function) {
  static constexpr llvm::StringLiteral kKinds[] = {"fn ", "kernel ", "host "};
  out << kKinds[size_t(function.kind)] << function.name << '(';
  llvm::interleaveComma(function.params, out, [&](const Variable *param) {
    out << param->name << ": " << text(param->type, &param->facts);
  });
  out << ')';
  if (function.result.kind != TypeKind::Void)
    out << " -> " << text(function.result);
  out << '\n';
  Printer(out, program).statements(function.body);
}

void print(llvm::raw_ostream &out, const Program &program) {
  for (const Object &object : program.objects)
    out << (object.isLocal ? "local " : "window ") << object.name << ": "
        << text(object.type, &object.facts) << " align " << object.align << '\n';
  for (const auto &function : program.functions)
    print(out, program, *function);
}

} // namespace pto::program
