// Groups: a part of a window on several ranks, with one of them as root. A handle of its core; the
// same instruction makes the same handle again, since nothing holds on to the group before.

#include "engine/parts.h"
#include "engine/pipe_ops.h"

#include "port/reach.h"

#include <algorithm>

namespace pto {

int32_t Group::rankOf(int64_t member) const {
  return members.empty() ? int32_t(member) : members[size_t(member)];
}

View Group::viewOf(int64_t member) const {
  View view = part;
  view.rank = rankOf(member);
  return view;
}

/// The group of a handle; null if there is none.
static Group *groupOf(CoreState &core, ScalarBits handle) {
  return handle == 0 || handle > core.groups.size() ? nullptr : core.groups[handle - 1].get();
}

static Completion noGroup() {
  return Completion::trapped(makeTrap<Rule::OutOfWindow>("a group is used before it is set"));
}

Completion beginGroup(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  CoreState &core = *state.cores[id];
  const View &part = request.views[0];
  if (part.space != Space::Gm || state.context.module.objects[part.object].isLocal)
    return Completion::trapped(
        makeTrap<Rule::OutOfWindow>("a group is of a window, which every rank can address"));
  auto [entry, isNew] =
      core.groupOf.try_emplace({request.at.function, request.at.pc}, core.groups.size());
  if (isNew)
    core.groups.emplace_back();
  auto group = std::make_shared<Group>();
  group->part = part;
  group->size = 0;
  core.groups[entry->second] = std::move(group);
  return Completion::done(nowPs, entry->second + 1);
}

Completion addMember(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  Group *group = groupOf(*state.cores[id], request.values[0]);
  if (!group)
    return noGroup();
  if (!request.has(1)) {
    group->members.clear();
    group->size = state.context.ranks;
    return Completion::done(nowPs);
  }
  View member = group->part;
  if (Fault fault = toPeer(member, int64_t(int32_t(request.values[1])), state.context.ranks))
    return Completion::trapped(makeTrap<Rule::OutOfWindow>(*fault));
  group->members.push_back(member.rank);
  ++group->size;
  return Completion::done(nowPs);
}

Completion setRoot(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  Group *group = groupOf(*state.cores[id], request.values[0]);
  if (!group)
    return noGroup();
  group->root = int32_t(request.values[1]);
  if (group->root < 0 || group->root >= group->size)
    return Completion::trapped(makeTrap<Rule::RootOutOfRange>(group->root, group->size));
  return Completion::done(nowPs);
}

std::optional<Trap> takeGroup(const PipeRequest &ask, std::shared_ptr<const Group> &group) {
  ScalarBits handle = ask.request.values[0];
  if (handle == 0 || handle > ask.core.groups.size())
    return makeTrap<Rule::OutOfWindow>("a group is used before it is set");
  group = ask.core.groups[handle - 1];
  if (group->root < 0 || group->root >= group->size)
    return makeTrap<Rule::RootOutOfRange>(group->root, group->size);
  if (group->rankOf(group->root) != ask.core.rank)
    return makeTrap<Rule::CollectiveNotRoot>(ask.name(), "rank " + std::to_string(ask.core.rank),
                                             "rank " + std::to_string(group->rankOf(group->root)));
  for (int64_t member = 0; member != group->size; ++member)
    if (auto trap = checkLink(ask.state.context.topology, Transport::MTE, ask.core.rank,
                              group->rankOf(member), ask.name()))
      return trap;
  return std::nullopt;
}

} // namespace pto
