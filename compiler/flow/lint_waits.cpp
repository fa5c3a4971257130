//===- lint_waits.cpp - advice on who waits for signals, and for what --------------===//

#include "flow/lint.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

namespace {

constexpr int64_t kWideWait = 16; ///< Words; a line of the data cache.

class Waits {
public:
  explicit Waits(const Lint &lint) : lint_(lint) {
    lint.forEachStep([&](At at) {
      if (!at.step->operand("sig"))
        return;
      bool waits = at.step->is(Intrinsic::Twait) || at.step->is(Intrinsic::Ttest);
      (waits ? waits_ : updates_).push_back(at);
    });
  }

  void advise() const {
    for (At at : waits_) {
      const Expr *cmp = at.step->operand("cmp");
      if (!cmp || cmp->kind != program::ExprKind::EnumValue)
        continue;
      adviseOfPollers(at);
      adviseOfStability(at, WaitCmp(cmp->bits));
      if (!at.step->is(Intrinsic::Twait))
        continue;
      adviseOfWidth(at);
      adviseOfEpoch(at, WaitCmp(cmp->bits));
    }
  }

private:
  [[nodiscard]] std::string text(At at) const {
    return lint_.context.text(at.step->operand("sig"));
  }

  /// One word, raised from afar, that all blocks of a rank poll.
  void adviseOfPollers(At at) const {
    int64_t blocks = lint_.launches(*at.graph).mostBlocks;
    Region word = lint_.word(at);
    if (blocks < 2 || !word.begin || !lint_.context.use(word).isWrittenRemotely ||
        lint_.causeOf(at, at.step->operand("sig")).mayVaryByBlock() ||
        lint_.causeOfGuards(at).mayVaryByBlock())
      return;
    lint_.context.sink.report<Rule::WordPolledByMany>(at.step->range(), text(at), blocks);
  }

  /// How many words the wait is for; nothing where it is not known.
  static std::optional<int64_t> countWords(const Expr &sig) {
    std::optional<program::Affine> count = sig.facts->elements();
    return count ? count->constant() : std::nullopt;
  }

  void adviseOfWidth(At at) const {
    std::optional<int64_t> count = countWords(*at.step->operand("sig"));
    if (count && *count > kWideWait)
      lint_.context.sink.report<Rule::WideWait>(at.step->range(), text(at), *count);
  }

  /// Whether each update of the object leaves a value for which the comparison holds.
  [[nodiscard]] bool staysTrue(int32_t object, WaitCmp cmp, int32_t wanted) const {
    return llvm::all_of(updates_, [&](At update) {
      Region word = lint_.word(update);
      const Expr *op = update.step->operand("op"), *value = update.step->operand("value");
      std::optional<int64_t> known = value ? value->value.constant() : std::nullopt;
      return word.object >= 0 &&
             (word.object != object || (op && NotifyOp(op->bits) == NotifyOp::Set && known &&
                                        holds(cmp, int32_t(*known), wanted)));
    });
  }

  /// Several words that are looked at one after the other, with a comparison that may end to hold.
  void adviseOfStability(At at, WaitCmp cmp) const {
    const Expr *sig = at.step->operand("sig"), *value = at.step->operand("value");
    bool isOne = countWords(*sig) == 1;
    bool isOutgrown = cmp == WaitCmp::NE || cmp == WaitCmp::LT || cmp == WaitCmp::LE;
    std::optional<int64_t> wanted = value ? value->value.constant() : std::nullopt;
    if (isOne || !isOutgrown || (wanted && staysTrue(lint_.word(at).object, cmp, int32_t(*wanted))))
      return;
    lint_.context.sink.report<Rule::GridWaitUnstable>(at.step->range(), text(at), name(cmp));
  }

  enum class Again { Unknown, Passes, Hangs };

  /// What the wait does in a second launch, if nothing but these updates changes its word.
  [[nodiscard]] Again secondTime(int32_t object, WaitCmp cmp, int32_t wanted) const {
    Again again = Again::Unknown;
    for (At update : updates_) {
      Region word = lint_.word(update);
      if (word.object >= 0 && word.object != object)
        continue;
      const Expr *op = update.step->operand("op"), *value = update.step->operand("value");
      std::optional<int64_t> known = value ? value->value.constant() : std::nullopt;
      if (word.object < 0 || !op || !known)
        return Again::Unknown;
      bool adds = NotifyOp(op->bits) == NotifyOp::AtomicAdd;
      if (adds ? *known <= 0 : !holds(cmp, int32_t(*known), wanted))
        return Again::Unknown; // It may be there to take the word back.
      bool passes = !adds || cmp != WaitCmp::EQ;
      again = passes && again != Again::Hangs ? Again::Passes : Again::Hangs;
    }
    return again;
  }

  /// A kernel that is launched again waits for a value that the word has since the first launch.
  void adviseOfEpoch(At at, WaitCmp cmp) const {
    const LaunchFacts &launches = lint_.launches(*at.graph);
    int32_t object = lint_.word(at).object;
    const Expr *value = at.step->operand("value");
    std::optional<int64_t> wanted = value ? value->value.constant() : std::nullopt;
    bool mayHold = cmp == WaitCmp::LT || cmp == WaitCmp::LE;
    if (!launches.again || object < 0 || launches.resets.contains(object) || !wanted || mayHold)
      return;
    const program::Object &declared = lint_.context.program.objects[size_t(object)];
    Cause word = lint_.causeOf(at, at.step->operand("sig")), guards = lint_.causeOfGuards(at);
    if (holds(cmp, declared.hasInit ? int32_t(declared.init) : 0, int32_t(*wanted)) ||
        word.hasParam || word.isUnknown || guards.hasParam || guards.isUnknown)
      return;
    Again again = secondTime(object, cmp, int32_t(*wanted));
    if (again == Again::Unknown)
      return;
    Finding &finding = lint_.context.sink.report<Rule::MissingEpoch>(
        at.step->range(), text(at), again == Again::Passes ? "passes at once" : "never ends");
    lint_.context.sink.note(finding, launches.again->range, "launched again here");
  }

  const Lint &lint_;
  std::vector<At> waits_, updates_;
};

} // namespace

void adviseWaits(const Lint &lint) { Waits(lint).advise(); }

} // namespace pto::flow_detail
