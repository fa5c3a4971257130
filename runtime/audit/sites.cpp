#include "audit/sites.h"

namespace pto::audit_detail {

llvm::StringRef Actor::name() const {
  constexpr auto kQueue = unsigned(AgentKind::Queue);
  return number_ < kQueue ? audit_detail::name(AgentKind(number_))
                          : pto::name(DmaEngine(number_ - kQueue));
}

uint32_t Sites::of(Opcode opcode, const CodePlace &place, int32_t rank, int32_t block,
                   Actor actor) {
  Key key{uint64_t(place.file) << 32 | place.line,
          uint64_t(place.column) << 32 | uint64_t(opcode) << 8 | actor.number(),
          uint64_t(uint32_t(rank)) << 32 | uint32_t(block)};
  auto [entry, isNew] = numbers_.try_emplace(key, uint32_t(infos_.size()));
  if (isNew)
    infos_.push_back({opcode, place, rank, block, actor});
  return entry->second;
}

} // namespace pto::audit_detail
