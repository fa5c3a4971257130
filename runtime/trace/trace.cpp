#include "trace/trace.h"

#include "base/check.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

namespace pto {

static constexpr EventInfo kEvents[] = {
#define PTO_EVENT(Enum, Name, Shape, Text, Meaning)                                                \
  {llvm::StringLiteral(Name), EventShape::Shape, llvm::StringLiteral(Text),                        \
   llvm::StringLiteral(Meaning)},
#include "trace/event.def"
};
static_assert(std::size(kEvents) == kEventKindCount);

const EventInfo &info(EventKind kind) {
  PTO_CHECK(size_t(kind) < kEventKindCount, "event kind out of its table");
  return kEvents[size_t(kind)];
}

llvm::StringRef name(Lane lane) {
  static constexpr llvm::StringLiteral kNames[] = {"host", "S",    "V",    "MTE2", "MTE3",
                                                   "SDMA", "URMA", "RDMA", "HIXL"};
  return kNames[size_t(lane)];
}

void Trace::turnOn(const Module &module) {
  isOn_ = true;
  files_ = module.files;
}

void Trace::add(Event event) {
  if (!isOn_)
    return;
  if (events_.size() == kMaxEvents)
    ++dropped_;
  else
    events_.push_back(std::move(event));
}

static std::string field(const Event &event, llvm::StringRef key) {
  if (key == "op")
    return info(event.opcode).mnemonic.str();
  if (key == "id")
    return std::to_string(event.operation);
  if (key == "peer")
    return std::to_string(event.peer);
  if (key == "bytes")
    return std::to_string(event.bytes);
  if (key == "value")
    return std::to_string(event.value);
  if (key == "word")
    return event.word;
  PTO_CHECK(key == "text", "event.def: an unknown field");
  return event.text;
}

std::string eventText(const Event &event) {
  std::string text;
  llvm::StringRef form = info(event.kind).text;
  while (!form.empty()) {
    auto [before, rest] = form.split('{');
    text += before;
    if (before.size() == form.size())
      break;
    auto [key, after] = rest.split('}');
    text += field(event, key);
    form = after;
  }
  return llvm::StringRef(text).rtrim().str();
}

std::string microseconds(int64_t ps) {
  std::string digits = std::to_string(ps % 1'000'000);
  return std::to_string(ps / 1'000'000) + "." + std::string(6 - digits.size(), '0') + digits;
}

void printTrace(llvm::raw_ostream &out, const Trace &trace) {
  std::vector<const Event *> inTime; // An event of a span is recorded when the span begins.
  for (const Event &event : trace.events())
    inTime.push_back(&event);
  llvm::stable_sort(inTime, [](const Event *a, const Event *b) { return a->timePs < b->timePs; });
  for (const Event *each : inTime) {
    const Event &event = *each;
    out << llvm::format("%16s us  rank %d ", microseconds(event.timePs).c_str(), event.rank)
        << name(event.lane);
    if (event.lane != Lane::Host)
      out << ' ' << event.index;
    out << "  " << info(event.kind).name << "  " << eventText(event);
    if (event.place.line != 0 && event.place.file < trace.files().size())
      out << "  " << trace.files()[event.place.file] << ':' << event.place.line << ':'
          << event.place.column;
    out << '\n';
  }
  if (trace.dropped() != 0)
    out << trace.dropped() << " further events were not kept\n";
}

} // namespace pto
