// Calls that need a link, or must not have one.

#include "flow/hixl_checks.h"

namespace pto::flow_detail {

using enum HixlCallKind;

static constexpr uint32_t kTransfers = callsOf(TransferSync, TransferAsync);

static Judgement judgeWays(const HixlAct &act) {
  bool isAsync = hixlEffect(act.kind).way == HixlWay::Async;
  const EngineState &engine = *act.engine;
  const Expr *own = isAsync ? engine.firstAsync : engine.firstSync;
  const Expr *other = isAsync ? engine.firstSync : engine.firstAsync;
  if (!engine.areWaysKnown || own || !other)
    return {};
  return wrong(act, HixlCase::MixedConnects, isAsync ? "connect" : "connect_async", "", other);
}

static Judgement judgeLinked(const HixlAct &act) {
  LinkState link = act.link();
  if (!act.remote || link.asked || link.isImplicit || act.connectsByItself())
    return {};
  return judged(judge(link.is, Tie::Up, Tie::Down),
                wrong(act, HixlCase::AlreadyUp, *act.remote, "", link.since));
}

/// A disconnect has nothing to end; a transfer and a notify have no way.
static Judgement judgeUnlinked(const HixlAct &act) {
  bool transfers = kTransfers & callsOf(act.kind);
  LinkState link = act.link();
  if (act.engine->linksElsewhere || (transfers && act.connectsByItself()))
    return {};
  if (link.asked)
    return transfers ? wrong(act, HixlCase::NoLinkPending, act.remoteText,
                             "not known to have ended", link.asked)
                     : Judgement();
  Judgement none = wrong(act, info(act.kind).in[size_t(HixlLinkage::Ready)], act.remoteText);
  if (link.is == Tie::Down && link.since) {
    none.words[2] = textOf(HixlGone::Disconnected).str();
    none.other = link.since;
  } else if (link.is == Tie::Refused) {
    none.words[2] = ": its connect had failed";
  }
  return judged(judge(link.is, Tie::Down | Tie::Refused, Tie::Up), std::move(none));
}

static Judgement judgePort(const HixlAct &act) {
  if (!act.remote)
    return {};
  ParsedIdentifier name = parseHixlIdentifier(*act.remote);
  if (name.identifier && name.identifier->listens())
    return {};
  Judgement none = wrong(act, HixlCase::NoPort);
  none.words[0] = *act.remote;
  return none;
}

static bool areAtOnePlace(const std::optional<HixlIdentifier> &one, const HixlIdentifier &other) {
  return one && one->listens() && one->port == other.port && one->address == other.address;
}

/// To itself, or to its neighbour on the device.
static Judgement judgePeer(const HixlAct &act) {
  std::optional<HixlIdentifier> remote =
      act.remote ? parseHixlIdentifier(*act.remote).identifier : std::nullopt;
  if (!remote)
    return {};
  for (const auto &[id, engine] : act.state.engines) {
    if (engine.life != Life::Ready || !engine.facts ||
        !areAtOnePlace(engine.facts->identifier.identifier, *remote))
      continue;
    bool isSelf = id == act.id;
    Judgement none = isSelf ? wrong(act, HixlCase::SelfConnect)
                            : wrong(act, HixlCase::SameDevice, *act.remote, "", engine.since);
    none.words[0] = isSelf ? *act.remote : act.engine->name.value_or(act.remoteText);
    return none;
  }
  return {};
}

llvm::ArrayRef<HixlCheck> hixlLinkChecks() {
  static constexpr HixlCheck kChecks[] = {
      {callsOf(Connect, Disconnect, ConnectAsync, DisconnectAsync), judgeWays},
      {callsOf(Connect), judgeLinked},
      {callsOf(Disconnect, TransferSync, TransferAsync, SendNotify), judgeUnlinked},
      {callsOf(Connect), judgePort},
      {callsOf(Connect), judgePeer},
  };
  return kChecks;
}

} // namespace pto::flow_detail
