//===- trial_views.cpp - where the views of a trial lie -----------------------------===//
//
// The same steps as those of views.cpp, on numbers instead of sums of symbols.
//
//===----------------------------------------------------------------------===//

#include "check/trial.h"

namespace pto::check_detail {

using namespace program;

using Number = std::optional<int64_t>;

static Number plus(Number a, Number b) {
  int64_t sum = 0;
  return a && b && !__builtin_add_overflow(*a, *b, &sum) ? Number(sum) : std::nullopt;
}

static Number times(Number a, Number b) {
  int64_t product = 0;
  return a && b && !__builtin_mul_overflow(*a, *b, &product) ? Number(product) : std::nullopt;
}

/// How many elements a range with a step has.
static Number length(Number low, Number high, Number step) {
  if (!low || !high || !step || *step < 1 || *high < *low)
    return std::nullopt;
  Number span = plus(*high, times(*low, -1));
  return span ? Number(*span / *step + (*span % *step != 0)) : std::nullopt;
}

/// The strides of rows that lie one behind the other.
static void setContiguous(TrialView &view) {
  view.stride.assign(view.shape.size(), 1);
  for (size_t i = view.shape.size(); i-- > 1;)
    view.stride[i - 1] = times(view.stride[i], view.shape[i]);
}

TrialView Trial::objectView(const Object &object) const {
  TrialView view;
  view.rank = agent.rank;
  view.object = object.facts.object;
  view.offset = 0;
  for (const ObjectExtent &extent : object.shape) {
    Number ranks = agent.ranks ? Number(*agent.ranks) : std::nullopt;
    view.shape.push_back(extent.perRank == 0 ? Number(extent.fixed)
                                             : plus(times(extent.perRank, ranks), extent.fixed));
  }
  setContiguous(view);
  return view;
}

/// A part of the view that is the first operand.
TrialView Trial::partOf(const Expr &expr) {
  TrialView part = view(expr.ops[0]);
  size_t dimension = expr.number;
  if (expr.kind == ExprKind::Peer) {
    part.rank = number(expr.ops[1]);
  } else if (expr.kind == ExprKind::Reshape) {
    part.shape.clear();
    for (const Expr *size : expr.ops.drop_front())
      part.shape.push_back(number(size));
    setContiguous(part);
  } else if (expr.kind == ExprKind::Strided) {
    part.offset = plus(part.offset, number(expr.ops[1]));
    part.shape.clear();
    part.stride.clear();
    for (size_t i = 0; i != expr.number; ++i) {
      part.shape.push_back(number(expr.ops[2 + i]));
      part.stride.push_back(number(expr.ops[2 + expr.number + i]));
    }
  } else if (dimension >= part.shape.size()) {
    return {};
  } else {
    Number low = number(expr.ops[1]);
    part.offset = plus(part.offset, times(low, part.stride[dimension]));
    if (expr.kind == ExprKind::Index) {
      part.shape.erase(part.shape.begin() + dimension);
      part.stride.erase(part.stride.begin() + dimension);
    } else {
      Number step = expr.ops[3] ? number(expr.ops[3]) : 1;
      part.shape[dimension] = length(low, number(expr.ops[2]), step);
      part.stride[dimension] = times(part.stride[dimension], step);
    }
  }
  return part;
}

TrialView Trial::view(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Object:
    return objectView(program_.objects[expr->number]);
  case ExprKind::Variable:
    return views_.lookup(expr->variable);
  case ExprKind::Peer:
  case ExprKind::Index:
  case ExprKind::Slice:
  case ExprKind::Reshape:
  case ExprKind::Strided:
    return partOf(*expr);
  default:
    return {};
  }
}

Known Trial::extent(const Expr &expr) {
  TrialView of = view(expr.ops[0]);
  Number size = expr.number < of.shape.size() ? of.shape[expr.number] : std::nullopt;
  return size ? Known(ScalarBits(*size)) : std::nullopt;
}

} // namespace pto::check_detail
