// What is registered, and what a batch names: places, and bytes as far as constants tell them.

#include "flow/hixl_checks.h"
#include "flow/hixl_options.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

using enum HixlCallKind;
using program::ExprKind;

//===--- Batches ---------------------------------------------------------------------===//

/// The bounds of a list that is written with `for` come first.
static constexpr size_t kBounds = 2;

std::vector<const Expr *> HixlAct::views(bool isLocal) const {
  std::vector<const Expr *> views;
  const Expr *batch = written("ops");
  if (!batch)
    return views;
  size_t first = batch->kind == ExprKind::PairsOver ? kBounds : 0;
  for (size_t i = first + (isLocal ? 0 : 1); i < batch->ops.size(); i += 2)
    views.push_back(batch->ops[i]);
  return views;
}

std::optional<HixlOp> HixlAct::op() const {
  Value op = value("op");
  return op.isNumber() ? std::optional(HixlOp(op.number)) : std::nullopt;
}

std::optional<int64_t> HixlAct::turns() const {
  const Expr *batch = written("ops");
  if (!batch || batch->kind != ExprKind::PairsOver)
    return std::nullopt;
  Value low = values.valueOf(*batch->ops[0], state), high = values.valueOf(*batch->ops[1], state);
  return low.isNumber() && high.isNumber() ? std::optional(high.number - low.number) : std::nullopt;
}

/// Of a list over an index the bytes are those of one turn, so they are not known.
std::vector<Touched> HixlAct::touches() const {
  std::vector<Touched> touches;
  const Expr *batch = written("ops");
  bool isList = batch && batch->kind == ExprKind::PairsOver;
  for (bool isLocal : {true, false})
    for (const Expr *view : views(isLocal)) {
      ByteRange range = values.rangeOf(*view);
      if (isLocal)
        range.peer.reset();
      if (isList)
        range.begin = range.end = -1;
      touches.push_back({range, op() ? (*op() == HixlOp::Read) == isLocal : true});
    }
  return touches;
}

static std::string quotedText(const HixlAct &act, const ByteRange &range) {
  return "`" + act.values.objectName(range) + "`";
}

static Judgement judgeEmpty(const HixlAct &act) {
  const Expr *batch = act.written("ops");
  bool isEmpty = batch && (batch->kind == ExprKind::PairsOver ? act.turns().value_or(1) <= 0
                                                              : batch->ops.empty());
  return isEmpty ? wrong(act, HixlCase::NoOps) : Judgement();
}

/// Ranges that share bytes on the side that is written.
static Judgement judgeOverlap(const HixlAct &act) {
  if (!act.op())
    return {};
  std::vector<const Expr *> views = act.views(*act.op() == HixlOp::Read);
  if (views.size() == 1 && act.turns().value_or(0) > 1 && act.values.rangeOf(*views[0]).isKnown())
    return wrong(act, HixlCase::BatchOverlap, "0", "1"); // Every turn names the same bytes.
  if (act.turns())
    return {};
  for (size_t i = 0; i != views.size(); ++i)
    for (size_t k = i + 1; k != views.size(); ++k)
      if (act.values.rangeOf(*views[i]).overlaps(act.values.rangeOf(*views[k])))
        return wrong(act, HixlCase::BatchOverlap, std::to_string(i), std::to_string(k));
  return {};
}

/// F takes the places of the first range for all of a batch.
static Judgement judgePlaces(const HixlAct &act) {
  std::vector<const Expr *> locals = act.views(true), remotes = act.views(false);
  auto direction = [&](size_t i) {
    auto place = [&](const Expr *view) {
      return act.values.rangeOf(*view).isHost ? HixlMemType::Host : HixlMemType::Device;
    };
    return hixlDirection(place(locals[i]), place(remotes[i]), *act.op());
  };
  auto isKnown = [&](const Expr *view) { return act.values.rangeOf(*view).object >= 0; };
  if (!act.op() || !llvm::all_of(locals, isKnown) || !llvm::all_of(remotes, isKnown))
    return {};
  for (size_t i = 1; i < locals.size(); ++i)
    if (direction(i) != direction(0))
      return wrong(act, HixlCase::FabricMixed, info(direction(0)).name, info(direction(i)).name);
  return {};
}

//===--- What a link knows -----------------------------------------------------------===//

namespace {
/// What is registered of one window.
struct Registered {
  bool mayBe = false;   ///< Some range of it, on some path.
  bool mayKnow = false; ///< The link may have seen one.
  bool mayBeGone = false;
  const Expr *late = nullptr; ///< Some range of it.
};
} // namespace

static Registered registeredOf(const HixlAct &act, const ByteRange &range, const LinkState &link) {
  Registered found;
  for (const auto &[id, region] : act.engine->regions) {
    if (region.range.object != range.object && region.range.object >= 0)
      continue;
    found.mayBe |= region.is != Hold::Refused;
    found.mayBeGone |= (region.is & Hold::Gone) != 0;
    found.mayKnow |= llvm::is_contained(link.regions, id);
    found.late = region.call;
  }
  return found;
}

/// What the engine says of a local range that its link does not know.
static HixlCase unknownCase(const HixlAct &act, const ByteRange &first, bool isLate) {
  HixlEngine kind = *act.engineKind();
  bool isSync = act.kind == TransferSync;
  if (kind == HixlEngine::FabricMem && !first.isHost)
    return HixlCase::RangeUnchecked;
  bool isComm = kind == HixlEngine::CommDomain;
  if (isComm && isSync && !act.engine->facts->options.config.relay.isOff())
    return HixlCase::Relayed;
  if (isComm && !isSync && !isLate)
    return HixlCase::AsyncRelay;
  return isLate ? HixlCase::LocalLate : HixlCase::LocalUnknown;
}

/// Local ranges of a window that was never registered, or after the connect.
static Judgement judgeLocal(const HixlAct &act) {
  LinkState link = act.link();
  bool isMade = act.connectsByItself() && link.is == Tie::Down; // By this very transfer.
  bool isUp = judge(link.is, Tie::Up, Tie::Down) == Judgement::Is::Wrong && act.remote;
  std::vector<const Expr *> views = act.views(true);
  if (views.empty())
    return {};
  if (!isUp && !isMade) {
    bool hasFailed = link.is == Tie::Refused;
    return judged(hasFailed ? Judgement::Is::Neutral : Judgement::Is::Fine,
                  wrong(act, HixlCase::Fine));
  }
  ByteRange first = act.values.rangeOf(*views.front());
  for (const Expr *view : views) {
    ByteRange range = act.values.rangeOf(*view);
    Registered known = registeredOf(act, range, link);
    bool isLive = *act.engineKind() == HixlEngine::FabricMem; // F reads the list of now.
    bool isLate = known.mayBe && !known.mayKnow && !known.mayBeGone && !isLive && isUp &&
                  !link.isImplicit && !act.connectsByItself() && !link.asked;
    if (range.object < 0 || (known.mayBe && !isLate))
      continue;
    HixlCase which = unknownCase(act, first, isLate);
    if (which == HixlCase::Relayed)
      return {}; // It works, and a program may want it so.
    return wrong(act, which, "bytes of " + quotedText(act, range), act.remoteText,
                 isLate ? known.late : nullptr);
  }
  return {};
}

/// An own request that is under way and shares bytes with this one.
static Judgement judgeConflict(const HixlAct &act, const RequestState &request) {
  for (const Touched &mine : act.touches())
    for (const Touched &other : request.touches) {
      if (!(mine.writes || other.writes) || !mine.range.overlaps(other.range))
        continue;
      Bits fine = Quest::Any & ~(Quest::Open | Quest::Refused);
      return judged(judge(request.is, Quest::Open, fine),
                    wrong(act, HixlCase::RequestConflict, "bytes of " + quotedText(act, mine.range),
                          "", request.call));
    }
  return {};
}

//===--- Registering -----------------------------------------------------------------===//

static std::optional<HixlMemType> typeOf(const HixlAct &act) {
  Value type = act.value("type");
  return type.isNumber() ? std::optional(HixlMemType(type.number)) : std::nullopt;
}

static Judgement judgeKind(const HixlAct &act) {
  const Expr *view = act.written("range");
  ByteRange range = view ? act.values.rangeOf(*view) : ByteRange();
  std::optional<HixlMemType> type = typeOf(act);
  HixlMemType place = range.isHost ? HixlMemType::Host : HixlMemType::Device;
  if (range.object < 0 || !type || *type == place)
    return {};
  return wrong(act, HixlCase::RegionPlace,
               quotedText(act, range) + ", which lies in " + info(place).placement.str() +
                   " memory",
               info(*type).name);
}

static Judgement judgeEndpoint(const HixlAct &act) {
  const Expr *view = act.written("range");
  if (!view || !registersNowhere(act))
    return {};
  return wrong(act, HixlCase::RegionNoEndpoint, quotedText(act, act.values.rangeOf(*view)));
}

/// A range that is there already, whole or in part.
static Judgement judgeAgain(const HixlAct &act) {
  const Expr *view = act.written("range");
  std::optional<HixlMemType> type = typeOf(act);
  ByteRange range = view ? act.values.rangeOf(*view) : ByteRange();
  for (const auto &[id, region] : act.engine->regions) {
    if (!type || region.type != *type || !range.overlaps(region.range))
      continue;
    bool isSame = range.begin == region.range.begin && range.end == region.range.end;
    Judgement found =
        isSame ? wrong(act, HixlCase::RegionAgain, quotedText(act, range), "", region.call)
               : wrong(act, HixlCase::RegionOverlaps, "a range of " + quotedText(act, range), "one",
                       region.call);
    return judged(judge(region.is, Hold::Live, Hold::Gone), std::move(found));
  }
  return {};
}

llvm::ArrayRef<HixlCheck> hixlRangeChecks() {
  constexpr uint32_t kTransfers = callsOf(TransferSync, TransferAsync);
  static constexpr HixlCheck kChecks[] = {
      {callsOf(RegisterMem), judgeKind},  {callsOf(RegisterMem), judgeEndpoint},
      {callsOf(RegisterMem), judgeAgain}, {kTransfers, judgeEmpty},
      {kTransfers, judgeLocal},           {kTransfers, judgePlaces},
      {kTransfers, judgeOverlap},         {kTransfers, nullptr, judgeConflict},
  };
  return kChecks;
}

} // namespace pto::flow_detail
