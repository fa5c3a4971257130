//===- trace.h - what happened ----------------------------------*- C++ -*-===//
//
// The append-only record of a run. Nothing is kept, and almost nothing spent, unless it is on.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_TRACE_TRACE_H
#define PTO_TRACE_TRACE_H

#include "bytecode/module.h"

#include "llvm/Support/raw_ostream.h"

namespace pto {

enum class EventKind : uint8_t {
#define PTO_EVENT(Enum, Name, Shape, Text, Meaning) Enum,
#include "trace/event.def"
};
inline constexpr unsigned kEventKindCount = 0
#define PTO_EVENT(Enum, Name, Shape, Text, Meaning) +1
#include "trace/event.def"
    ;

enum class EventShape : uint8_t { Instant, Span, Begin, End };

/// One row of event.def.
struct EventInfo {
  llvm::StringLiteral name;
  EventShape shape;
  llvm::StringLiteral text;
  llvm::StringLiteral meaning;
};
[[nodiscard]] const EventInfo &info(EventKind kind);

/// Which agent of a rank acted; its index is the block, or the channel group or peer of a queue.
enum class Lane : uint8_t { Host, Scalar, V, MTE2, MTE3, SDMA, URMA, RDMA, HIXL };
[[nodiscard]] llvm::StringRef name(Lane lane);

struct Event {
  EventKind kind;
  Lane lane = Lane::Host;
  Opcode opcode = Opcode::Return;
  int32_t rank = 0;
  int32_t index = 0; ///< Of the lane: block, channel group or peer.
  int64_t timePs = 0;
  int64_t startPs = -1;   ///< Of a span.
  uint64_t operation = 0; ///< Number of the post or notify in the run; 0: none. Flows follow it.
  int32_t peer = 0;
  int32_t value = 0;
  int64_t bytes = 0;
  std::string word = {}; ///< The GM element concerned.
  std::string text = {};
  std::string title = {}; ///< On a time line; empty: of the instruction, or of the kind.
  CodePlace place = {};   ///< line 0: none.
};

class Trace {
public:
  void turnOn(const Module &module);
  [[nodiscard]] bool isOn() const { return isOn_; }
  void add(Event event);

  [[nodiscard]] llvm::ArrayRef<Event> events() const { return events_; }
  [[nodiscard]] llvm::ArrayRef<std::string> files() const { return files_; }
  /// Events that were not kept, since a trace is bounded.
  [[nodiscard]] uint64_t dropped() const { return dropped_; }

  static constexpr size_t kMaxEvents = 4'000'000;

private:
  bool isOn_ = false;
  std::vector<Event> events_;
  std::vector<std::string> files_; ///< Module::files, which places refer to.
  uint64_t dropped_ = 0;
};

/// The text of an event without its time and agent.
[[nodiscard]] std::string eventText(const Event &event);
/// One line an event, in order of time; what goldens compare.
void printTrace(llvm::raw_ostream &out, const Trace &trace);
/// Chrome's trace event JSON, which Perfetto opens: a process per rank, a thread per lane, flows
/// from post to completion and from notify to the wait it woke. The same trace gives the same
/// bytes.
void writeChromeTrace(llvm::raw_ostream &out, const Trace &trace);
/// "12.345678": picoseconds as microseconds, exactly.
[[nodiscard]] std::string microseconds(int64_t ps);

} // namespace pto

#endif
