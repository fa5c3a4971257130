#include "flow/hixl_report.h"

#include "hixl/misuse.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

/// Null where nothing is said. Advice is of programs that work: a run gives it to tests that ask.
Finding *HixlReports::report(const HixlSaying &saying, SourceRange at, bool isOfOptions) {
  Rule rule =
      hixlRule(saying.account, isOfOptions, isOfOptions && saying.severity == Severity::Error);
  bool isAdvice = saying.severity < Severity::Warning;
  if (silences_ || isAdvice || llvm::is_contained(entry_->expectedViolations, uint16_t(rule)) ||
      !said_.emplace(rule, uint32_t(at.file), at.begin).second)
    return nullptr;
  Finding &finding = sink_.report(rule, saying.severity, at, {saying.text});
  finding.mend = saying.mend;
  finding.details.push_back("rule " + saying.account.str() + " of the reference");
  return &finding;
}

bool HixlReports::judge(const Expr &call, llvm::ArrayRef<Judgement> paths) {
  const Judgement *wrong = nullptr;
  std::optional<HixlSaying> saying;
  for (const Judgement &path : paths) {
    if (path.is == Judgement::Is::Neutral)
      continue;
    std::optional<HixlSaying> one = path.is == Judgement::Is::Wrong
                                        ? sayingOf(path.which, path.engine, path.words)
                                        : std::nullopt;
    if (!one)
      return false; // Fine, or legal on that engine.
    if (wrong && hixlRule(one->account, false) != hixlRule(saying->account, false))
      return false; // Wrong either way, but not for one reason.
    if (!wrong) {
      wrong = &path;
      saying = std::move(one);
    }
  }
  if (!wrong)
    return false;
  const HixlReply &reply = info(wrong->which).on[size_t(wrong->engine)];
  bool isRefused = reply.status != HixlStatus::Success;
  Finding *finding = report(*saying, call.range, false);
  if (!finding)
    return isRefused;
  if (isRefused)
    finding->details.push_back(("the call ends in " + info(reply.status).name).str());
  if (wrong->other && !saying->role.empty())
    sink_.note(*finding, wrong->other->range, saying->role);
  if (!callers_.empty())
    sink_.note(*finding, callers_.front()->range, "called from here");
  return isRefused;
}

void HixlReports::fault(const Expr &call, const OptionFault &fault, const Expr *other,
                        llvm::StringRef role) {
  HixlSaying saying{fault.account, fault.isError ? Severity::Error : Severity::Warning, fault.text,
                    fault.mend, ""};
  Finding *finding = report(saying, call.range, true);
  if (finding && other)
    sink_.note(*finding, other->range, role);
}

/// An engine that is ready at the end of some path and taken down on none.
void HixlReports::end(llvm::ArrayRef<const HostState *> paths, const HostWorld &world,
                      SourceRange brace) {
  // A run that ends in another way than its host does comes to no end of the body.
  bool endsElsewhere = llvm::any_of(entry_->expectedViolations, [](uint16_t rule) {
    return !info(Rule(rule)).slug.starts_with("hixl-");
  });
  if (world.isLost || endsElsewhere)
    return;
  std::map<ThingId, const EngineState *> left;
  std::set<ThingId> ended;
  for (const HostState *path : paths)
    for (const auto &[id, engine] : path->engines)
      if (auto is = flow_detail::judge(engine.life, Life::Ready, Life::Finalized);
          is == Judgement::Is::Wrong)
        left.emplace(id, &engine);
      else if (is == Judgement::Is::Fine)
        ended.insert(id);
  for (const auto &[id, engine] : left) {
    if (ended.count(id) || !engine->since)
      continue;
    std::string name = engine->name.value_or("?");
    if (!engine->name && engine->made->ops.size() && engine->made->ops[0])
      name = sources_.text(engine->made->ops[0]->range).trim('"').str();
    std::optional<HixlSaying> saying =
        sayingOf(HixlCase::NeverFinalized, HixlEngine::CommDomain, {name, "", ""});
    Finding *finding = saying ? report(*saying, engine->since->range, false) : nullptr;
    if (finding)
      sink_.note(*finding, brace, "the host ends here");
  }
}

} // namespace pto::flow_detail
