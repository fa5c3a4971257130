//===- context.h - what the analyses of this room share -----------*- C++ -*-===//
#ifndef PTO_FLOW_CONTEXT_H
#define PTO_FLOW_CONTEXT_H

#include "diag/sink.h"
#include "graph/pipe_order.h"

namespace pto::flow_detail {

using namespace graph;

/// How an object is used by all kernels of a program.
struct ObjectUse {
  bool isWrittenRemotely = false; ///< Some kernel puts to it, or notifies it, on another rank.
  bool isReadRemotely = false;
};

struct Context {
  program::Program &program;
  const Sources &sources;
  Sink &sink;
  std::vector<ObjectUse> objects; ///< By index of the program's objects.

  [[nodiscard]] ObjectUse use(const Region &region) const {
    return region.object >= 0 ? objects[size_t(region.object)] : ObjectUse{};
  }
  /// The text of an operand as it is written.
  [[nodiscard]] std::string text(const Expr *expr) const { return sources.text(expr->range).str(); }
  /// "a.pto:3:1"
  [[nodiscard]] std::string place(SourceRange range) const;
  /// Names what only the run can decide; once.
  void unknown(const llvm::Twine &what);
};

/// Offers to put statements in front of the one that a step is part of. Not in a condition that is
/// evaluated again and again.
void fixBefore(const Context &context, Finding &finding, const Step &step,
               llvm::ArrayRef<std::string> statements);

/// Whether a value differs from rank to rank (or block to block) for certain: it is computed from
/// that number, and from nothing that would make it equal again as far as one can see.
[[nodiscard]] bool readsWorld(const Graph &graph, const Expr *expr, program::WorldValue which);

/// The name of an instruction, "session", or "tile".
[[nodiscard]] llvm::StringRef nameOf(const Step &step);

// One family a file. Each reports into the context.
void followPipes(const Graph &graph, Context &context);    // pipes.cpp
void followPublish(const Graph &graph, Context &context);  // publish.cpp
void followSyncall(const Graph &graph, Context &context);  // syncall.cpp
void followAcquire(const Graph &graph, Context &context);  // acquire.cpp
void followSessions(const Graph &graph, Context &context); // sessions.cpp

void followFlags(const Graph &graph, Context &context);  // flags.cpp
void followMasks(const Graph &graph, Context &context);  // masks.cpp
void checkUniform(const Graph &graph, Context &context); // uniform.cpp
/// Over all kernels at once.
void checkWords(llvm::ArrayRef<Graph> graphs, Context &context); // words.cpp
/// The advisory rules.
void advise(llvm::ArrayRef<Graph> graphs, Context &context); // lint.cpp

/// Runs an analysis, and says so if its states would not stand still.
template <typename Analysis>
void solve(const Graph &graph, Context &context, Analysis &analysis, llvm::StringRef what) {
  if (!Solver<Analysis>(graph, analysis).run())
    context.unknown(what + " in `" + graph.kernel->name + "`: its loops are too entangled");
}

} // namespace pto::flow_detail

#endif
