//===- lint_words.cpp - advice on who raises signals, how often, and where they lie -===//

#include "flow/lint.h"

#include "diag/fix.h"

#include "target/platform.h"

#include "llvm/Support/MathExtras.h"

namespace pto::flow_detail {

using program::ExprKind;

namespace {

/// Whether a condition says that a rank named by a loop index is not this one.
bool isNotSelf(const Expr *condition) {
  if (!condition || condition->kind != ExprKind::Binary ||
      BinaryOp(condition->number) != BinaryOp::NotEqual)
    return false;
  auto isRank = [](const Expr *expr) {
    return expr->kind == ExprKind::World &&
           program::WorldValue(expr->number) == program::WorldValue::Rank;
  };
  const Expr *left = condition->ops[0], *right = condition->ops[1];
  return (left->kind == ExprKind::Variable && isRank(right)) ||
         (right->kind == ExprKind::Variable && isRank(left));
}

/// Several ranks set one word of another.
void adviseOfSetters(const Lint &lint, At at) {
  const Expr *sig = at.step->operand("sig"), *op = at.step->operand("op");
  if (!sig || !op || NotifyOp(op->bits) != NotifyOp::Set || lint.word(at).space != Space::Remote ||
      lint.causeOf(at, sig).mayVaryByRank() || lint.causeOfPeer(at, sig).mayVaryByRank())
    return;
  int64_t setters = lint.launches(*at.graph).mostRanks;
  At around = at;
  Step outside = *at.step;
  uint32_t guard = at.step->guard;
  if (guard != kNone && isNotSelf(at.graph->guards[guard].condition) &&
      at.graph->guards[guard].isTrue) {
    outside.guard = at.graph->guards[guard].outer;
    around.step = &outside;
    --setters; // A rank does not set its own.
  }
  if (setters < 2 || lint.causeOfGuards(around).mayVaryByRank())
    return;
  lint.context.sink.report<Rule::SetByMany>(at.step->range(), lint.context.text(sig));
}

/// All blocks of a rank tell another rank the same.
void adviseOfBlocks(const Lint &lint, At at) {
  int64_t blocks = lint.launches(*at.graph).mostBlocks;
  const Expr *sig = at.step->operand("sig");
  if (blocks < 2 || !at.step->tells() || lint.word(at).space != Space::Remote ||
      lint.causeOf(at, sig).mayVaryByBlock() || lint.causeOfPeer(at, sig).mayVaryByBlock() ||
      lint.causeOfGuards(at).mayVaryByBlock())
    return;
  lint.context.sink.report<Rule::EveryBlockNotifies>(at.step->range(), lint.context.text(sig),
                                                     blocks);
}

/// The first value of a word that two launches rely on is not written down.
void adviseOfInit(const Lint &lint, At at, llvm::DenseSet<int32_t> &said) {
  const LaunchFacts &launches = lint.launches(*at.graph);
  int32_t object = lint.word(at).object;
  if (!at.step->is(Intrinsic::Twait) || !launches.again || object < 0 ||
      launches.filled.contains(object))
    return;
  const program::Object &declared = lint.context.program.objects[size_t(object)];
  if (declared.hasInit || !said.insert(object).second)
    return;
  Finding &finding =
      lint.context.sink.report<Rule::ImplicitSignalInit>(declared.range, declared.name);
  lint.context.sink.note(finding, at.step->range(), "waited for here");
  lint.context.sink.note(finding, launches.again->range, "launched again here");
  llvm::StringRef rest = lint.context.sources.text(declared.range.file).substr(declared.range.end);
  size_t length = rest.find(';');
  auto end = uint32_t(declared.range.end + length);
  if (length != llvm::StringRef::npos && !rest.take_front(length).contains('/')) // No comment.
    fixInsertText(lint.context.sources, finding, {declared.range.file, end, end}, " = 0");
}

//===--- Lines of the data cache ---===//

/// Where objects lie, as far as it is the same for every number of ranks. Windows lie behind each
/// other in order of declaration, locals behind them; the head before them is of whole lines.
class Lines {
public:
  explicit Lines(const Lint &lint) : lint_(lint), places_(lint.context.program.objects.size()) {
    for (bool isLocal : {false, true})
      for (size_t i = 0; i != places_.size(); ++i)
        if (lint.context.program.objects[i].isLocal == isLocal)
          place(i);
  }

  void advise(At at, llvm::DenseSet<int32_t> &said) const {
    Region region = regionOf(*at.graph, at.step->frame, at.step->operand("x"));
    if (!at.step->is(Intrinsic::Store) || region.object < 0)
      return;
    adviseOfBlocks(at);
    std::optional<Place> stored = places_[size_t(region.object)];
    if (!stored || said.contains(region.object))
      return;
    if (std::optional<int64_t> begin = region.begin ? region.begin->constant() : std::nullopt) {
      stored->begin += *begin * info(at.step->operand("x")->type.scalar).bytes();
      stored->end = stored->begin + 1;
    }
    for (size_t other = 0; other != places_.size(); ++other) {
      if (int32_t(other) == region.object || !lint_.context.objects[other].isWrittenRemotely ||
          !places_[other] || !sharesLine(*stored, *places_[other]))
        continue;
      report(at, region.object, int32_t(other), stored->begin < places_[other]->begin);
      said.insert(region.object);
      return;
    }
  }

private:
  struct Place {
    int64_t begin = 0, end = 0;
  };

  static int64_t line(int64_t offset) { return offset / limit(Limit::CacheLineBytes); }
  static bool sharesLine(const Place &a, const Place &b) {
    return line(a.begin) <= line(b.end - 1) && line(b.begin) <= line(a.end - 1);
  }

  void place(size_t index) {
    const program::Object &object = lint_.context.program.objects[index];
    int64_t bytes = info(object.type.scalar).bytes();
    bool isConstant = true, isOfLines = false;
    for (const program::ObjectExtent &extent : object.shape) {
      isConstant &= extent.perRank == 0;
      isOfLines |= extent.perRank == 0 && extent.fixed > 0 &&
                   extent.fixed * bytes % limit(Limit::CacheLineBytes) == 0;
      if (extent.perRank == 0)
        bytes *= std::max<int64_t>(extent.fixed, 1);
    }
    if (int64_t(object.align) % limit(Limit::CacheLineBytes) == 0)
      isKnown_ = true;
    next_ = int64_t(llvm::alignTo(uint64_t(next_), std::max<uint64_t>(object.align, 1)));
    if (isKnown_ && isConstant)
      places_[index] = Place{next_, next_ + bytes};
    // What depends on the ranks ends anywhere in a line, unless it is made of whole lines.
    isKnown_ &= isConstant || isOfLines;
    next_ += isConstant ? bytes : kFar;
  }

  void report(At at, int32_t stored, int32_t other, bool isMineFirst) const {
    const auto &objects = lint_.context.program.objects;
    const program::Object &mine = objects[size_t(stored)], &theirs = objects[size_t(other)];
    Finding &finding = lint_.context.sink.report<Rule::WordsShareLine>(
        at.step->range(), "`" + mine.name + "`", "`" + theirs.name + "`, which other ranks write");
    // The one that lies behind can be moved to the next line.
    lint_.context.sink.note(finding, (isMineFirst ? theirs : mine).range, "give it `align 64`");
    lint_.context.sink.note(finding, (isMineFirst ? mine : theirs).range,
                            "it lies behind this one");
  }

  /// `store(x[block], v)`: each block its own word, all in one line.
  void adviseOfBlocks(At at) const {
    const Expr *place = at.step->operand("x");
    if (lint_.launches(*at.graph).mostBlocks < 2 || place->kind != ExprKind::Index)
      return;
    const Expr *index = place->ops[1];
    bool isBlock = index->kind == ExprKind::World &&
                   program::WorldValue(index->number) == program::WorldValue::Block;
    const program::ViewFacts *whole = place->ops[0]->facts;
    if (isBlock && whole && whole->stride.size() == 1 && whole->stride[0].is(1))
      lint_.context.sink.report<Rule::WordsShareLine>(
          at.step->range(), "`" + lint_.context.text(place) + "`", "the words of other blocks");
  }

  static constexpr int64_t kFar = int64_t(1) << 32;

  const Lint &lint_;
  std::vector<std::optional<Place>> places_;
  int64_t next_ = 0;
  bool isKnown_ = true;
};

} // namespace

void adviseWords(const Lint &lint) {
  Lines lines(lint);
  llvm::DenseSet<int32_t> implicit, shared;
  lint.forEachStep([&](At at) {
    adviseOfSetters(lint, at);
    adviseOfBlocks(lint, at);
    adviseOfInit(lint, at, implicit);
    lines.advise(at, shared);
  });
}

} // namespace pto::flow_detail
