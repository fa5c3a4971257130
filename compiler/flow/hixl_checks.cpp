// What is asked of a call before its engine looks at it: whether it is initialised, its arguments.

#include "flow/hixl_checks.h"
#include "flow/hixl_options.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

using enum HixlCallKind;

const Expr *HixlAct::written(llvm::StringRef param) const {
  int at = info(expr.intrinsic).param(param);
  return at >= 0 && size_t(at) < expr.ops.size() ? expr.ops[size_t(at)] : nullptr;
}

Value HixlAct::value(llvm::StringRef param) const {
  int at = info(expr.intrinsic).param(param);
  return written(param) ? operands[size_t(at)] : Value();
}

std::optional<HixlEngine> HixlAct::engineKind() const {
  return engine->facts ? std::optional(engine->facts->options.config.engine) : std::nullopt;
}

/// To a remote that is not known: any of those that there are, unless there are none.
LinkState HixlAct::anyLink() const {
  LinkState link;
  if (!engine->links.empty())
    link.is = Tie::Any;
  return link;
}

static constexpr uint32_t kAll = ~0u & ~callsOf(Initialize, Finalize, GetCapability);

static Judgement judgeLife(const HixlAct &act) {
  const EngineState &engine = *act.engine;
  auto is = judge(engine.life, Life::New | Life::Refused | Life::Finalized, Life::Ready);
  if (engine.life & Life::Finalized)
    return judged(is, wrong(act, HixlCase::NotReadyFinalized, "", "", engine.since));
  if (!(engine.life & Life::Refused))
    return judged(is, wrong(act, info(act.kind).in[size_t(HixlLinkage::Down)]));
  bool isKnown = engine.refusedBy.isNumber();
  llvm::StringRef status = "an error";
  if (isKnown)
    status = info(HixlStatus(engine.refusedBy.number)).name;
  return judged(is, wrong(act, HixlCase::NotReadyFailed, status, "", engine.since));
}

static Judgement judgeSecond(const HixlAct &act) {
  const EngineState &engine = *act.engine;
  auto is = judge(engine.life, Life::Ready, Life::New | Life::Refused | Life::Finalized);
  std::string name = engine.name.value_or("the same name");
  return judged(is, wrong(act, HixlCase::SecondInitialize, name, "", engine.since));
}

static Judgement judgeLength(const HixlAct &act, llvm::StringRef param, HixlCase which) {
  std::optional<std::string> text = act.values.textOf(act.written(param), act.state);
  int64_t most = limit(HixlLimit::NotifyBytes);
  if (!text || int64_t(text->size()) <= most)
    return {};
  return wrong(act, which, std::to_string(text->size()), std::to_string(most));
}
static Judgement judgeNameLength(const HixlAct &act) {
  return judgeLength(act, "name", HixlCase::NameLong);
}
static Judgement judgeMessageLength(const HixlAct &act) {
  return judgeLength(act, "message", HixlCase::MessageLong);
}

static Judgement judgeTimeout(const HixlAct &act) {
  Value timeout = act.value("timeout_ms");
  if (!info(act.kind).isTimed || !timeout.isNumber() || timeout.number > 0)
    return {};
  return wrong(act, timeoutCase(act.kind), std::to_string(timeout.number));
}

llvm::ArrayRef<HixlCheck> hixlStateChecks() {
  static constexpr HixlCheck kChecks[] = {
      {kAll, judgeLife},
      {callsOf(Initialize), judgeSecond},
      {callsOf(SendNotify), judgeNameLength},
      {kAll, judgeTimeout},
      {callsOf(SendNotify), judgeMessageLength},
  };
  return kChecks;
}

/// True where the call is refused for it.
static bool apply(const HixlCheck &check, const Expr &expr, llvm::ArrayRef<HixlAct> paths,
                  HixlReports &reports) {
  auto report = [&](auto judge) {
    llvm::SmallVector<Judgement, 8> judgements;
    for (const HixlAct &act : paths)
      judgements.push_back(judge(act));
    return reports.judge(expr, judgements);
  };
  if (check.judge)
    return report(check.judge);
  std::set<ThingId> requests;
  for (const HixlAct &act : paths)
    for (const auto &[id, request] : act.state.requests)
      if (request.engine == act.id)
        requests.insert(id);
  bool isRefused = false;
  for (ThingId id : requests)
    isRefused |= report([&](const HixlAct &act) {
      auto request = act.state.requests.find(id);
      return request == act.state.requests.end()
                 ? judged(Judgement::Is::Neutral, wrong(act, HixlCase::Fine))
                 : check.judgeRequest(act, request->second);
    });
  return isRefused;
}

/// What is said of a call that an earlier check has refused would never come to the run.
void judgeCall(const Expr &expr, llvm::ArrayRef<HixlAct> paths, HixlReports &reports) {
  auto isReady = [](const HixlAct &act) { return act.engine->isReady() && act.engine->facts; };
  for (llvm::ArrayRef<HixlCheck> checks :
       {hixlStateChecks(), hixlLinkChecks(), hixlRequestChecks(), hixlRangeChecks()})
    for (const HixlCheck &check : checks) {
      bool isOfState = check.judge == judgeLife || check.judge == judgeSecond;
      bool isMeant = (check.calls & callsOf(paths.front().kind)) != 0;
      if (isMeant && (isOfState || llvm::all_of(paths, isReady)) &&
          apply(check, expr, paths, reports))
        return;
    }
  if (paths.front().kind == Initialize)
    judgeOptions(expr, paths, reports);
}

} // namespace pto::flow_detail
