//===- sites.h - the instructions that acted, by number ---------*- C++ -*-===//
#ifndef PTO_AUDIT_SITES_H
#define PTO_AUDIT_SITES_H

#include "audit/agents.h"
#include "bytecode/module.h"

#include <array>
#include <map>
#include <string>

namespace pto::audit_detail {

/// What carries out an instruction: a host, a pipe or an engine.
class Actor {
public:
  Actor(AgentKind kind) : number_(uint8_t(kind)) {} // NOLINT: an agent is one.
  Actor(DmaEngine engine) : number_(uint8_t(unsigned(AgentKind::Queue) + unsigned(engine))) {}
  [[nodiscard]] uint8_t number() const { return number_; }
  [[nodiscard]] llvm::StringRef name() const; ///< "MTE3", "SDMA", "host"

private:
  uint8_t number_;
};

/// An instruction of the program, as one agent carries it out.
struct SiteInfo {
  Opcode opcode = Opcode::Return;
  CodePlace place;
  int32_t rank = 0;
  int32_t block = -1; ///< -1: a host.
  Actor actor = AgentKind::Host;
  CodePlace call = {}; ///< Of the function that it is in, by the kernel; line 0: of none.
};

/// Grows with the program and the number of agents, not with the length of a run.
class Sites {
public:
  [[nodiscard]] uint32_t of(const SiteInfo &info);
  [[nodiscard]] const SiteInfo &operator[](uint32_t site) const { return infos_[site]; }

private:
  using Key = std::array<uint64_t, 5>;
  std::map<Key, uint32_t> numbers_;
  std::vector<SiteInfo> infos_;
};

} // namespace pto::audit_detail

#endif
