//===- payload.h - data that is on its way out of a core ---------*- C++ -*-===//
//
// What a core writes stays for a while on a pipe, in a queue or in its data cache. Who tells others
// of it (a notify, a meeting of the blocks) has to drain it first. Here is what has it, and which
// steps drain it; who may be told what is the matter of the analyses.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_FLOW_PAYLOAD_H
#define PTO_FLOW_PAYLOAD_H

#include "flow/context.h"

namespace pto::flow_detail {

enum class Held : uint8_t { Pipe, Queue, Cache }; ///< What still has it.

struct Payload {
  const Step *step = nullptr;
  const Expr *operand = nullptr;
  Held held = Held::Pipe;
  bool isMaybe = false;
  bool isMixed = false; ///< Drained, or spoken of, on some of the paths that led here.
  bool isDrained = false;
  const Step *signal = nullptr; ///< The first step that told of it while it was under way.
  bool isSure = false;          ///< It surely was, at that signal.
  bool isTold = false;          ///< A signal has told of it in order, on some path.
  Region region;

  [[nodiscard]] bool isSame(const Payload &other) const {
    return step == other.step && operand == other.operand;
  }
  void meet(const Payload &other, bool isLoop);
  bool operator==(const Payload &) const = default;
};
using Payloads = std::vector<Payload>;

/// Marks what the step drains; false if it is none that drains.
bool settle(const Graph &graph, const Step &step, Payloads &payloads);
/// Marks all that is on a pipe.
void drainPipes(Payloads &payloads);
/// A write of the step, in the place of the one of its last turn.
void record(const Step &step, const Touch &touch, Payloads &payloads);
void forgetTurn(Payloads &payloads);

/// "in the data cache"
[[nodiscard]] llvm::StringRef placeOf(const Payload &payload);
/// The statement that drains it: `dcci(x);`
[[nodiscard]] std::string drainOf(const Payload &payload, const Context &context);

} // namespace pto::flow_detail

#endif
