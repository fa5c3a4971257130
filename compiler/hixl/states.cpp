#include "hixl/states.h"

#include "base/list_text.h"
#include "hixl/columns.h"
#include "hixl/misuse.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

namespace {
constexpr HixlCaseInfo kCases[] = {
#define LG                                                                                         \
  HixlReply { HixlStatus::Success, true }
#define OK                                                                                         \
  HixlReply { HixlStatus::Success }
#define PI                                                                                         \
  HixlReply { HixlStatus::ParamInvalid }
#define TO                                                                                         \
  HixlReply { HixlStatus::Timeout }
#define NC                                                                                         \
  HixlReply { HixlStatus::NotConnected }
#define AC                                                                                         \
  HixlReply { HixlStatus::AlreadyConnected }
#define US                                                                                         \
  HixlReply { HixlStatus::Unsupported }
#define RE                                                                                         \
  HixlReply { HixlStatus::ResourceExhausted }
#define FA                                                                                         \
  HixlReply { HixlStatus::Failed }
#define PTO_HIXL_CASE(Enum, Account, Level, M, S, F, Seen, Mend, Role)                             \
  {llvm::StringLiteral(Account), Severity::Level,           {M, S, F},                             \
   llvm::StringLiteral(Seen),    llvm::StringLiteral(Mend), llvm::StringLiteral(Role)},
#include "hixl/call.def"
#undef LG
#undef OK
#undef PI
#undef TO
#undef NC
#undef AC
#undef US
#undef RE
#undef FA
};
constexpr HixlCallInfo kCalls[] = {
#define PTO_HIXL_CALL(Enum, Name, Timed, U, I, C, X, Text)                                         \
  {llvm::StringLiteral(Name),                                                                      \
   Timed,                                                                                          \
   {HixlCase::U, HixlCase::I, HixlCase::C, HixlCase::X},                                           \
   llvm::StringLiteral(Text)},
#include "hixl/call.def"
};
constexpr HixlEffect kEffects[] = {
#define PTO_HIXL_EFFECT(Call, Engine, Link, Way)                                                   \
  {HixlCallKind::Call, HixlAfter::Engine, HixlAfter::Link, HixlWay::Way},
#include "hixl/call.def"
};
struct VerbRow {
  HixlVerb verb;
  HixlCallKind call;
};
constexpr VerbRow kVerbs[] = {
#define PTO_HIXL_VERB(Verb, Call) {HixlVerb::Verb, HixlCallKind::Call},
#include "hixl/call.def"
};
constexpr HixlTurnInfo kTurns[] = {
#define BEHIND(Status) HixlConnectStatus::Status
#define ALWAYS std::nullopt
#define PTO_HIXL_TURN(Enum, To, Behind, Event)                                                     \
  {HixlConnectStatus::To, Behind, llvm::StringLiteral(Event)},
#include "hixl/turn.def"
#undef BEHIND
#undef ALWAYS
};
} // namespace

llvm::StringRef textOf(HixlGone why) {
  static constexpr llvm::StringLiteral kTexts[] = {
#define PTO_HIXL_GONE(Enum, Text) llvm::StringLiteral(Text),
#include "hixl/turn.def"
  };
  return kTexts[size_t(why)];
}

llvm::StringRef name(HixlLinkage linkage) {
  static constexpr llvm::StringLiteral kNames[] = {"uninitialised", "ready", "linked",
                                                   "requests open"};
  return kNames[size_t(linkage)];
}

HixlConnectStatus turned(HixlConnectStatus from, HixlTurn turn) {
  const HixlTurnInfo &row = kTurns[size_t(turn)];
  return row.behind == from ? from : row.to;
}

llvm::ArrayRef<HixlCaseInfo> hixlCases() { return kCases; }
llvm::ArrayRef<HixlCallInfo> hixlCalls() { return kCalls; }
const HixlCaseInfo &info(HixlCase which) { return kCases[size_t(which)]; }
const HixlCallInfo &info(HixlCallKind kind) { return kCalls[size_t(kind)]; }

std::optional<HixlCallKind> hixlCallOf(HixlVerb verb) {
  for (const VerbRow &row : kVerbs)
    if (row.verb == verb)
      return row.call;
  return std::nullopt;
}

HixlEffect hixlEffect(HixlCallKind kind) {
  for (const HixlEffect &row : kEffects)
    if (row.call == kind)
      return row;
  return {kind, HixlAfter::Same, HixlAfter::Same, HixlWay::None};
}

HixlCase timeoutCase(HixlCallKind kind) {
  return kind == HixlCallKind::TransferSync ? HixlCase::SyncTimeout
         : kind == HixlCallKind::SendNotify ? HixlCase::NotifyTimeout
                                            : HixlCase::TimeoutBad;
}

static std::string sentence(std::string text) {
  text.front() = llvm::toUpper(text.front());
  return text + ".";
}

std::optional<HixlSaying> sayingOf(HixlCase which, HixlEngine engine,
                                   llvm::ArrayRef<std::string> words) {
  const HixlCaseInfo &row = info(which);
  if (row.on[size_t(engine)].isLegal || row.account.empty())
    return std::nullopt;
  auto filled = [&](llvm::StringLiteral text) {
    std::string format = text.str();
    return llvm::formatv(format.c_str(), words[0], words[1], words[2]).str();
  };
  return HixlSaying{row.account, row.severity, sentence(filled(row.seen)),
                    sentence(filled(row.mend)), filled(row.role)};
}

std::string hixlLeftBehind(size_t links, size_t requests, size_t regions) {
  std::vector<std::string> parts;
  auto add = [&](size_t count, llvm::StringRef one) {
    if (count)
      parts.push_back(std::to_string(count) + " " + one.str() + (count == 1 ? "" : "s"));
  };
  add(links, "link");
  add(requests, "open request");
  add(regions, "registered range");
  std::vector<llvm::StringRef> names(parts.begin(), parts.end());
  return names.empty() ? "" : listText(names);
}

static std::string textOf(HixlReply reply) {
  return reply.isLegal ? "ok" : info(reply.status).name.str();
}

/// "FAILED", or by engine where they differ: "SUCCESS/FAILED/FAILED".
static std::string answersOf(const HixlCaseInfo &row) {
  std::string text = textOf(row.on[0]);
  if (textOf(row.on[1]) == text && textOf(row.on[2]) == text)
    return text;
  return text + "/" + textOf(row.on[1]) + "/" + textOf(row.on[2]);
}

static std::string cellOf(HixlCase which) {
  if (which == HixlCase::Fine)
    return "ok";
  return answersOf(info(which)) + " " + info(which).account.str();
}

static void writeCalls(llvm::raw_ostream &out) {
  std::vector<std::string> head = {"call"};
  for (size_t i = 0; i != std::size(kCalls[0].in); ++i)
    head.push_back(name(HixlLinkage(i)).str());
  head.push_back("does");
  HixlColumns columns(head);
  for (const HixlCallInfo &row : kCalls)
    columns.add({row.name.str(), cellOf(row.in[0]), cellOf(row.in[1]), cellOf(row.in[2]),
                 cellOf(row.in[3]), row.text.str()});
  columns.write("When a call is legal; where not, what it answers (on M/S/F, where they differ), "
                "and the rule",
                out);
}

static void writeCases(llvm::raw_ostream &out) {
  static constexpr llvm::StringLiteral kSeverities[] = {"note", "advice", "warning", "error"};
  HixlColumns columns({"account", "rule", "severity", "on M", "on S", "on F", "seen"});
  for (const HixlCaseInfo &row : kCases)
    if (!row.account.empty())
      columns.add({row.account.str(), info(hixlRule(row.account, false)).slug.str(),
                   kSeverities[size_t(row.severity)].str(), textOf(row.on[0]), textOf(row.on[1]),
                   textOf(row.on[2]), row.seen.str()});
  columns.write("What a call can turn out to be, and what each engine answers", out);
}

/// Links: what breaks them, and how they end. Workers: each event in each status.
static void writeTurns(llvm::raw_ostream &out) {
  HixlColumns links({"a transfer ends in", "M", "S", "F"});
  for (const HixlStatusInfo &row : hixlStatuses()) {
    auto turn = [&](HixlEngine engine) { return row.breaksLink[size_t(engine)] ? "broken" : "up"; };
    links.add({row.name.str(), turn(HixlEngine::CommDomain), turn(HixlEngine::ClientServer),
               turn(HixlEngine::FabricMem)});
  }
  links.write("A link that is up; broken, it answers FAILED until disconnect and connect", out);
  out << '\n';
  std::vector<std::string> head = {"event"};
  for (const HixlValueInfo &status : hixlConnectStatuses())
    head.push_back(status.name.str());
  HixlColumns columns(head);
  for (size_t turn = 0; turn != std::size(kTurns); ++turn) {
    std::vector<std::string> row = {kTurns[turn].event.str()};
    for (size_t from = 0; from != hixlConnectStatuses().size(); ++from) {
      HixlConnectStatus to = turned(HixlConnectStatus(from), HixlTurn(turn));
      row.push_back(size_t(to) == from ? "stays" : hixlConnectStatuses()[size_t(to)].name.str());
    }
    columns.add(row);
  }
  columns.write("The status of an asynchronous connect, and what it turns into", out);
}

llvm::ArrayRef<HixlTable> hixlStateTables() {
  static constexpr HixlTable kTables[] = {
      {llvm::StringLiteral("states"), writeCalls},
      {llvm::StringLiteral("cases"), writeCases},
      {llvm::StringLiteral("turns"), writeTurns},
  };
  return kTables;
}

} // namespace pto
