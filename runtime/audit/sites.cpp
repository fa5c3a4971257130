#include "audit/sites.h"

namespace pto::audit_detail {

llvm::StringRef Actor::name() const {
  constexpr auto kQueue = unsigned(AgentKind::Queue);
  return number_ < kQueue ? audit_detail::name(AgentKind(number_))
                          : pto::name(DmaEngine(number_ - kQueue));
}

uint32_t Sites::of(const SiteInfo &info) {
  auto pair = [](uint32_t high, uint32_t low) { return uint64_t(high) << 32 | low; };
  Key key{pair(info.place.file, info.place.line),
          pair(info.place.column, uint32_t(info.opcode) << 8 | info.actor.number()),
          pair(uint32_t(info.rank), uint32_t(info.block)), pair(info.call.file, info.call.line),
          info.call.column};
  auto [entry, isNew] = numbers_.try_emplace(key, uint32_t(infos_.size()));
  if (isNew)
    infos_.push_back(info);
  return entry->second;
}

} // namespace pto::audit_detail
