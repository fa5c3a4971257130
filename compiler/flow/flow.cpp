#include "flow/flow.h"

#include "diag/fix.h"
#include "flow/context.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace pto {

namespace flow_detail {

std::string Context::place(SourceRange range) const {
  LineColumn at = sources.lineColumn(range.file, range.begin);
  return sources.name(range.file).str() + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column);
}

void Context::unknown(const llvm::Twine &what) {
  std::string text = what.str();
  if (!llvm::is_contained(program.unknowns, text))
    program.unknowns.push_back(std::move(text));
}

void fixBefore(const Context &context, Finding &finding, const Step &step,
               llvm::ArrayRef<std::string> statements) {
  if (!step.stmt || step.stmt->kind == program::StmtKind::While)
    return;
  fixInsertBefore(context.sources, finding, step.stmt->range, llvm::join(statements, "\n"));
}

bool readsWorld(const Graph &graph, const Expr *expr, program::WorldValue which) {
  using program::ExprKind;
  if (!expr)
    return false;
  if (expr->kind == ExprKind::World)
    return program::WorldValue(expr->number) == which;
  if (expr->kind == ExprKind::Variable) {
    auto value = graph.values.find(expr->variable);
    return !expr->variable->isMutable && value != graph.values.end() &&
           readsWorld(graph, value->second, which);
  }
  // What memory or a function makes of the number is not known.
  if (expr->kind == ExprKind::Intrinsic || expr->kind == ExprKind::Call)
    return false;
  return llvm::any_of(expr->ops, [&](const Expr *op) { return readsWorld(graph, op, which); });
}

llvm::StringRef nameOf(const Step &step) {
  switch (step.kind) {
  case StepKind::Instruction:
    return info(step.expr->intrinsic).name;
  case StepKind::Session:
    return "session";
  case StepKind::Tile:
    return "tile";
  case StepKind::After:
    return "after";
  }
  return "";
}

/// How the kernels together use each object.
static void gatherUse(const Graph &graph, std::vector<ObjectUse> &objects) {
  for (const Block &block : graph.blocks)
    for (const Step &step : block.steps) {
      if (step.kind != StepKind::Instruction)
        continue;
      for (const Touch &touch : touchesOf(graph, step))
        if (touch.region.space == Space::Remote && touch.region.object >= 0)
          (touch.writes ? objects[size_t(touch.region.object)].isWrittenRemotely
                        : objects[size_t(touch.region.object)].isReadRemotely) = true;
      Region signal = regionOf(graph, step.frame, step.operand("sig"));
      if (signal.space == Space::Remote && signal.object >= 0)
        objects[size_t(signal.object)].isWrittenRemotely = true;
    }
}

static void followKernel(const Graph &graph, Context &context) {
  followPipes(graph, context);
  followPublish(graph, context);
  followSyncall(graph, context);
  followAcquire(graph, context);
  followSessions(graph, context);
  followFlags(graph, context);
  followMasks(graph, context);
  checkUniform(graph, context);
}

} // namespace flow_detail

void followKernels(program::Program &program, const Sources &sources, Sink &sink) {
  using namespace flow_detail;
  Context context{program, sources, sink, std::vector<ObjectUse>(program.objects.size())};
  std::vector<Graph> graphs;
  for (const auto &function : program.functions) {
    if (function->kind != program::FunctionKind::Kernel)
      continue;
    graphs.push_back(build(*function));
    if (!graphs.back().isComplete) {
      context.unknown("the order of the operations of `" + function->name +
                      "`: it is too large to follow");
      graphs.pop_back();
    }
  }
  for (const Graph &graph : graphs)
    gatherUse(graph, context.objects);
  for (const Graph &graph : graphs)
    followKernel(graph, context);
  checkWords(graphs, context);
  advise(graphs, context);
}

} // namespace pto
