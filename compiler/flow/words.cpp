//===- words.cpp - signal words: who raises them, how, and who waits --------------===//
//
// Over all kernels of a program: what updates and what waits for each signal object. A word that
// comes from a parameter may be any, so it silences what would need to know all updates.
//
//===----------------------------------------------------------------------===//

#include "diag/fix.h"
#include "flow/context.h"
#include "program/walk.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

namespace {

/// A step that updates or waits for a word.
struct WordUse {
  const Graph *graph = nullptr;
  const Step *step = nullptr;
  Region word;
};

class Words {
public:
  Words(llvm::ArrayRef<Graph> graphs, Context &context) : context_(context) {
    for (const Graph &graph : graphs)
      for (const Block &block : graph.blocks)
        for (const Step &step : block.steps)
          gather(graph, step);
    gatherHosts();
  }

  void check() {
    for (const WordUse &wait : waits_) {
      checkRaised(wait);
      checkCounter(wait);
    }
    checkMixed();
  }

private:
  void gather(const Graph &graph, const Step &step) {
    if (step.kind != StepKind::Instruction)
      return;
    Region word = regionOf(graph, step.frame, step.operand("sig"));
    if (step.is(Intrinsic::Twait))
      waits_.push_back({&graph, &step, word});
    else if (word.space != Space::None && !step.is(Intrinsic::Ttest))
      updates_.push_back({&graph, &step, word});
    // Plain writes raise a word too, however unwisely.
    for (const Touch &touch : touchesOf(graph, step))
      if (touch.writes && touch.region.space != Space::Tile)
        written_.insert(touch.region.object);
  }

  /// What hosts fill and store, and which kernels they launch.
  void gatherHosts() {
    auto writes = [&](const Expr *view) {
      if (view && view->facts)
        written_.insert(view->facts->object);
    };
    auto visit = [&](const Stmt &stmt, bool) {
      if (stmt.kind == program::StmtKind::Launch && stmt.function) {
        launched_.insert(stmt.function);
        llvm::for_each(stmt.ops, writes); // A kernel may raise what it is given.
      }
      writes(stmt.value);
      if (stmt.value && stmt.value->kind == program::ExprKind::Intrinsic)
        llvm::for_each(stmt.value->ops, writes);
    };
    // A test that expects a violation may well be about a wait that does not end.
    for (const program::Entry &entry : context_.program.entries)
      if (entry.expectedViolations.empty())
        program::walkStatements(entry.function->body, visit);
  }

  /// A wait in a kernel that runs, for a word that nothing in the program ever changes.
  void checkRaised(const WordUse &wait) {
    int32_t object = wait.word.object;
    bool isEmpty = wait.word.span && *wait.word.span <= 0;
    if (object < 0 || isEmpty || written_.contains(object) ||
        !launched_.contains(wait.graph->kernel))
      return;
    bool mayBeRaised = llvm::any_of(updates_, [&](const WordUse &update) {
      return update.word.object < 0 || update.word.object == object;
    });
    const program::Object &declared = context_.program.objects[size_t(object)];
    const Expr *value = wait.step->operand("value"), *cmp = wait.step->operand("cmp");
    std::optional<int64_t> wanted = value ? value->value.constant() : std::nullopt;
    if (mayBeRaised || !wanted || !cmp ||
        holds(WaitCmp(cmp->bits), declared.hasInit ? int32_t(declared.init) : 0, int32_t(*wanted)))
      return;
    Finding &finding =
        context_.sink.report<Rule::SignalNeverRaised>(wait.step->range(), declared.name);
    context_.sink.note(finding, declared.range, "declared here");
  }

  /// A loop around the step whose turns all update the one word.
  static bool growsInLoop(const WordUse &update) {
    if (!update.word.begin || !update.word.begin->constant())
      return false;
    for (uint32_t at = update.step->guard; at != kNone; at = update.graph->guards[at].outer)
      if (update.graph->guards[at].loop)
        return true;
    return false;
  }

  static bool isAdd(const WordUse &update) {
    const Expr *op = update.step->operand("op");
    return op && NotifyOp(op->bits) == NotifyOp::AtomicAdd;
  }

  void checkCounter(const WordUse &wait) {
    const Expr *cmp = wait.step->operand("cmp");
    if (wait.word.object < 0 || !cmp || WaitCmp(cmp->bits) != WaitCmp::EQ)
      return;
    for (const WordUse &update : updates_)
      // In another kernel it may belong to another launch, with its own beginning.
      if (update.graph == wait.graph && update.word.object == wait.word.object && isAdd(update) &&
          growsInLoop(update)) {
        Finding &finding = context_.sink.report<Rule::EqOnCounter>(
            wait.step->range(), context_.text(wait.step->operand("sig")));
        context_.sink.note(finding, update.step->range(), "it is added to here, in a loop");
        fixReplace(context_.sources, finding, cmp->range, "GE");
        return;
      }
  }

  /// Whether the two stand in the two branches of one condition.
  static bool areExclusive(const WordUse &one, const WordUse &other) {
    const std::vector<Guard> &guards = one.graph->guards;
    for (uint32_t a = one.step->guard; a != kNone; a = guards[a].outer)
      for (uint32_t b = other.step->guard; b != kNone; b = guards[b].outer)
        if (guards[a].condition && guards[a].condition == guards[b].condition &&
            guards[a].frame == guards[b].frame && guards[a].isTrue != guards[b].isTrue)
          return true;
    return false;
  }

  /// Set and AtomicAdd of one word in one kernel.
  void checkMixed() {
    for (const WordUse &set : updates_)
      for (const WordUse &add : updates_) {
        if (set.graph != add.graph || isAdd(set) || !isAdd(add) || set.word.object < 0 ||
            set.word.object != add.word.object || !set.word.begin || !add.word.begin ||
            !set.word.begin->constant() || !(*set.word.begin == *add.word.begin) ||
            !isSamePeer(set.word, add.word) || areExclusive(set, add))
          continue;
        Finding &finding = context_.sink.report<Rule::SignalMixedOps>(
            add.step->range(), context_.text(add.step->operand("sig")));
        context_.sink.note(finding, set.step->range(), "it is set here");
      }
  }

  Context &context_;
  std::vector<WordUse> updates_, waits_;
  llvm::DenseSet<int32_t> written_;
  llvm::DenseSet<const Function *> launched_;
};

} // namespace

void checkWords(llvm::ArrayRef<Graph> graphs, Context &context) { Words(graphs, context).check(); }

} // namespace pto::flow_detail
