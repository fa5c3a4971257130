#include "graph/graph.h"

namespace pto::graph {

const Expr *Step::operand(llvm::StringRef name) const {
  if (kind != StepKind::Instruction)
    return nullptr;
  int param = info(expr->intrinsic).param(name);
  return param < 0 ? nullptr : expr->ops[size_t(param)];
}

/// The argument that a parameter stands for, or null.
static const Expr *argument(const Frame &frame, const Variable *param) {
  if (!frame.call)
    return nullptr;
  for (size_t i = 0; i != frame.function->params.size(); ++i)
    if (frame.function->params[i] == param && i < frame.call->ops.size())
      return frame.call->ops[i];
  return nullptr;
}

Origin Graph::origin(FrameId frame, const Expr *expr) const {
  while (expr) {
    switch (expr->kind) {
    case program::ExprKind::Variable: {
      const Variable *variable = expr->variable;
      if (variable->isParam) {
        const Expr *given = argument(frames[frame], variable);
        if (!given)
          return {frame, variable, nullptr};
        expr = given;
        frame = frames[frame].caller;
        continue;
      }
      // A tile is its variable; a handle is whatever made it.
      auto value = values.find(variable);
      bool isMade = variable->type.kind == program::TypeKind::Event ||
                    variable->type.kind == program::TypeKind::Token ||
                    variable->type.kind == program::TypeKind::Session;
      if (!isMade || variable->isMutable || value == values.end())
        return variable->isMutable && isMade ? Origin{} : Origin{frame, variable, nullptr};
      expr = value->second;
      continue;
    }
    case program::ExprKind::Call: {
      auto callee = callees.find({frame, expr});
      if (callee == callees.end())
        return {};
      auto result = results.find(expr->function);
      if (result == results.end() || !result->second)
        return {};
      expr = result->second;
      frame = callee->second;
      continue;
    }
    default:
      return {frame, expr, expr};
    }
  }
  return {};
}

} // namespace pto::graph
