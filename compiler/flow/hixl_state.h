//===- hixl_state.h - what is known of a host's engines -----------*- C++ -*-===//
//
// A state is what a host may have come to on one path. Each part says what it may be, a bit for
// each possibility, so that two paths can become one. Things are named by the call that made them.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_FLOW_HIXL_STATE_H
#define PTO_FLOW_HIXL_STATE_H

#include "flow/hixl_things.h"
#include "hixl/identifier.h"
#include "hixl/options.h"
#include "program/program.h"

#include <map>
#include <vector>

namespace pto::flow_detail {

using program::Expr;
using program::Stmt;
using program::Variable;

/// What `initialize` makes of its options and the engine's name.
struct EngineFacts {
  bool isRead = false;
  ParsedOptions options;
  std::optional<std::string> name; ///< As it is written; absent: not known.
  ParsedIdentifier identifier;     ///< Of a name that is known.

  [[nodiscard]] bool connectsByItself() const {
    return options.config.autoConnect || options.config.pool;
  }
};

struct LinkState {
  Bits is = Tie::Down;
  const Expr *since = nullptr;  ///< The connect, or the disconnect.
  const Expr *asked = nullptr;  ///< An asynchronous connect whose end nobody saw.
  bool isImplicit = false;      ///< A transfer may have made it.
  std::vector<ThingId> regions; ///< Ranges of this host that it may know.

  void join(const LinkState &other);
  bool operator==(const LinkState &) const = default;
};
struct RegionState {
  const Expr *call = nullptr;
  ByteRange range;
  HixlMemType type = HixlMemType::Device;
  Bits is = Hold::Live;
  const Expr *ended = nullptr;

  void join(const RegionState &other);
  bool operator==(const RegionState &) const = default;
};
struct RequestState {
  const Expr *call = nullptr;
  ThingId engine = 0;
  std::optional<std::string> remote; ///< Absent: not known.
  HixlOp op = HixlOp::Read;
  Bits is = Quest::Fresh;
  const Expr *ended = nullptr; ///< What ended it.
  int64_t answer = -1;         ///< What it was told, if that is known.
  std::vector<Touched> touches;

  void join(const RequestState &other);
  bool operator==(const RequestState &) const = default;
};
struct EngineState {
  const Expr *made = nullptr;
  std::optional<std::string> name;
  Bits life = Life::New;
  const Expr *since = nullptr;        ///< What made its life so.
  Value refusedBy;                    ///< A status.
  const EngineFacts *facts = nullptr; ///< Of an initialized one; null: not known.
  std::map<std::string, LinkState> links;
  bool linksElsewhere = false; ///< To a remote that is not known.
  std::map<ThingId, RegionState> regions;
  const Expr *firstSync = nullptr, *firstAsync = nullptr; ///< The two ways to connect.
  bool areWaysKnown = true;
  Value last;              ///< The status of the last call,
  ThingId lastRequest = 0; ///< which submitted this request; 0: none.

  /// Ready, unless `initialize` was refused.
  [[nodiscard]] bool isReady() const {
    return (life & Life::Ready) && !(life & (Life::New | Life::Finalized));
  }
  [[nodiscard]] LinkState link(llvm::StringRef remote) const;
  void join(const EngineState &other);
  bool operator==(const EngineState &) const = default;
};

struct HostState {
  std::map<const Variable *, Value> values; ///< Looked up and compared, never shown in its order.
  std::map<ThingId, EngineState> engines;
  std::map<ThingId, RequestState> requests;

  void join(const HostState &other);
  /// Nothing is known any more of an engine, but whether it is ready.
  void blur(ThingId engine);
  /// Nor of any.
  void blur();
  bool operator==(const HostState &) const = default;
};

} // namespace pto::flow_detail

#endif
