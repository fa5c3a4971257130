#include "hixl_model/state.h"

namespace pto::hixl {

Answer State::doConnectAsync(Engine &engine, const HixlCall &call) {
  return submitTask(engine, call, true);
}
Answer State::doDisconnectAsync(Engine &engine, const HixlCall &call) {
  return submitTask(engine, call, false);
}

Answer State::submitTask(Engine &engine, const HixlCall &call, bool connects) {
  mixed(engine, call, true);
  if (Answer answer = gate(engine, call))
    return answer;
  size_t capacity = size_t(engine.config.number(HixlResource::ConnectQueue));
  if (engine.tasks.size() >= capacity)
    return ends(raise(HixlCase::QueueFull, engine, call.site,
                      {info(call.kind).name.str(), std::to_string(capacity)},
                      engine.tasks.front().site));
  engine.tasks.push_back({call.remote, connects, call.timeoutMs, call.site});
  turn(engine, call.remote, connects ? HixlTurn::ConnectAsked : HixlTurn::DisconnectAsked);
  AsyncEntry &entry = engine.async[call.remote];
  entry.site = call.site;
  entry.isObserved = false;
  after(costPs(HixlCost::Worker),
        [this, id = engine.id, epoch = engine.epoch] { pump(id, epoch); });
  return ends(HixlStatus::Success);
}

/// The latest request wins: a task of the other kind does not show while a newer one waits.
void State::turn(Engine &engine, const std::string &remote, HixlTurn turn) {
  AsyncEntry &entry = engine.async[remote];
  HixlConnectStatus from = entry.status;
  entry.status = turned(from, turn);
  if (entry.status == HixlConnectStatus::NotConnect)
    engine.async.erase(remote);
}

/// Gives tasks to free workers: one a remote at a time, in order of a remote.
void State::pump(uint32_t id, uint32_t epoch) {
  Engine &engine = engines_[id - 1];
  if (engine.epoch != epoch)
    return;
  size_t workers = size_t(engine.config.number(HixlResource::ConnectThreads));
  while (engine.running.size() < workers) {
    auto next = llvm::find_if(engine.tasks,
                              [&](const Task &task) { return !engine.running.count(task.remote); });
    if (next == engine.tasks.end())
      return;
    Task task = std::move(*next);
    engine.tasks.erase(next);
    engine.running.insert(task.remote);
    runTask(engine, task);
  }
}

void State::runTask(Engine &engine, const Task &task) {
  using enum HixlTurn;
  uint32_t id = engine.id, epoch = engine.epoch;
  turn(engine, task.remote, task.connects ? ConnectBegun : DisconnectBegun);
  auto end = [this, id, epoch, task](HixlStatus status) {
    Engine &engine = engines_[id - 1];
    if (engine.epoch != epoch)
      return;
    bool isUp = status == HixlStatus::Success || status == HixlStatus::AlreadyConnected;
    if (!task.connects && status != HixlStatus::Success)
      raise(HixlCase::DisconnectLost, engine, task.site, {task.remote, info(status).name.str()});
    turn(engine, task.remote, !task.connects ? DisconnectDone : isUp ? ConnectDone : ConnectLost);
    engine.running.erase(task.remote);
    pump(id, epoch);
    if (uint32_t closing = engine.closing; closing && engine.running.empty()) {
      leave(engine, Life::Finalized, parked_[closing].call.site);
      wake(closing, ends(HixlStatus::Success));
    }
  };
  bool isThere = engine.links.count(task.remote);
  if (!task.connects || isThere) {
    after(spread(engine, HixlCost::Disconnect), [this, id, epoch, task, end] {
      Engine &engine = engines_[id - 1];
      bool isThere = engine.epoch == epoch && engine.links.count(task.remote);
      if (!task.connects && isThere)
        endLink(engine, task.remote, HixlGone::Disconnected, task.site);
      end(isThere ? HixlStatus::Success : HixlStatus::NotConnected);
    });
    return;
  }
  startConnect({id, epoch, task.remote, task.timeoutMs, 0, task.site, false, end});
}

Answer State::doGetAsyncConnectStatus(Engine &engine, const HixlCall &call) {
  HixlAnswer answer = ends(HixlStatus::Success);
  auto entry = engine.async.find(call.remote);
  if (entry == engine.async.end())
    return answer;
  answer.connection = entry->second.status;
  entry->second.isObserved |= answer.connection == HixlConnectStatus::Connected;
  return answer;
}

Answer State::doGetAsyncConnectAll(Engine &engine, const HixlCall &) {
  HixlAnswer answer = ends(HixlStatus::Success);
  for (auto &[remote, entry] : engine.async) {
    entry.isObserved |= entry.status == HixlConnectStatus::Connected;
    answer.connections.push_back({remote, entry.status});
  }
  return answer;
}

} // namespace pto::hixl
