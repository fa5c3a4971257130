// The trace as Chrome's trace event JSON.

#include "trace/trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace pto {

namespace {
class ChromeWriter {
public:
  ChromeWriter(llvm::raw_ostream &out, const Trace &trace) : json_(out), trace_(trace) {}
  void write();

private:
  void event(const Event &event);
  void flow(const Event &event);
  void nameTracks();
  void nameTrack(llvm::StringRef kind, int32_t rank, int64_t track, const llvm::Twine &text);
  void head(llvm::StringRef phase, const Event &event, int64_t timePs);
  void time(llvm::StringRef key, int64_t ps);
  void args(const Event &event);

  llvm::json::OStream json_;
  const Trace &trace_;
};
} // namespace

/// Tracks of a rank: the host, then block by block its pipes, then the queues of the engines.
static int64_t trackOf(const Event &event) {
  if (event.lane == Lane::Host)
    return 0;
  if (event.lane < Lane::SDMA)
    return 8 + int64_t(event.index) * 8 + int64_t(event.lane);
  return int64_t(event.lane) * 10'000'000 + event.index;
}

void ChromeWriter::time(llvm::StringRef key, int64_t ps) {
  json_.attributeBegin(key);
  json_.rawValue(microseconds(ps));
  json_.attributeEnd();
}

void ChromeWriter::head(llvm::StringRef phase, const Event &event, int64_t timePs) {
  json_.attribute("ph", phase);
  json_.attribute("pid", event.rank);
  json_.attribute("tid", trackOf(event));
  time("ts", timePs);
}

void ChromeWriter::args(const Event &event) {
  json_.attributeObject("args", [&] {
    json_.attribute("what", llvm::json::fixUTF8(eventText(event)));
    if (event.place.line != 0 && event.place.file < trace_.files().size())
      json_.attribute("at", llvm::json::fixUTF8(trace_.files()[event.place.file] + ":" +
                                                std::to_string(event.place.line) + ":" +
                                                std::to_string(event.place.column)));
  });
}

void ChromeWriter::event(const Event &event) {
  static constexpr llvm::StringLiteral kPhases[] = {"i", "X", "B", "E"};
  EventShape shape = info(event.kind).shape;
  bool isSpan = shape == EventShape::Span && event.startPs >= 0;
  llvm::StringRef phase = shape == EventShape::Span && !isSpan ? "i" : kPhases[size_t(shape)];
  json_.object([&] {
    head(phase, event, isSpan ? event.startPs : event.timePs);
    if (isSpan)
      time("dur", event.timePs - event.startPs);
    if (phase == "i")
      json_.attribute("s", "t");
    bool isKernel = shape == EventShape::Begin || shape == EventShape::End;
    bool isOperation = event.opcode != Opcode::Return;
    json_.attribute("name", llvm::json::fixUTF8(!event.title.empty() ? event.title
                                                : isKernel           ? event.text
                                                : isOperation ? info(event.opcode).mnemonic.str()
                                                              : info(event.kind).name.str()));
    json_.attribute("cat", info(event.kind).name);
    args(event);
  });
}

/// An arrow leaves a post, a notify or a call, and arrives at its completion, at the wait that it
/// woke, or at the receiver.
void ChromeWriter::flow(const Event &event) {
  if (event.operation == 0)
    return;
  bool leaves =
      llvm::is_contained({EventKind::Issue, EventKind::Notify, EventKind::HixlCall}, event.kind);
  bool arrives = llvm::is_contained(
      {EventKind::Complete, EventKind::WaitEnd, EventKind::HixlMove, EventKind::HixlNotify},
      event.kind);
  if (!leaves && !arrives)
    return;
  int64_t inside = event.startPs >= 0 && !leaves && event.timePs > event.startPs ? event.timePs - 1
                                                                                 : event.timePs;
  json_.object([&] {
    head(leaves                              ? "s"
         : event.kind == EventKind::Complete ? "t"
                                             : "f",
         event, leaves ? std::max<int64_t>(event.startPs, 0) : inside);
    json_.attribute("name", "operation");
    json_.attribute("cat", "flow");
    json_.attribute("id", int64_t(event.operation));
    if (arrives)
      json_.attribute("bp", "e");
  });
}

void ChromeWriter::nameTrack(llvm::StringRef kind, int32_t rank, int64_t track,
                             const llvm::Twine &text) {
  json_.object([&] {
    json_.attribute("ph", "M");
    json_.attribute("pid", rank);
    json_.attribute("tid", track);
    json_.attribute("name", kind);
    json_.attributeObject("args", [&] { json_.attribute("name", text.str()); });
  });
}

void ChromeWriter::nameTracks() {
  std::map<std::pair<int32_t, int64_t>, const Event *> tracks;
  for (const Event &event : trace_.events())
    tracks.try_emplace({event.rank, trackOf(event)}, &event);
  int32_t named = -1;
  for (const auto &[key, event] : tracks) {
    if (key.first != named)
      nameTrack("process_name", key.first, 0, "rank " + llvm::Twine(key.first));
    named = key.first;
    bool isQueue = event->lane >= Lane::SDMA, isHost = event->lane == Lane::Host;
    llvm::Twine lane(name(event->lane));
    nameTrack("thread_name", key.first, key.second,
              isHost    ? std::string("host")
              : isQueue ? (lane + (event->lane == Lane::SDMA ? " group " : " to rank ") +
                           llvm::Twine(event->index))
                              .str()
                        : ("block " + llvm::Twine(event->index) + " " + lane).str());
  }
}

void ChromeWriter::write() {
  json_.object([&] {
    json_.attribute("displayTimeUnit", "ns");
    json_.attributeArray("traceEvents", [&] {
      nameTracks();
      for (const Event &each : trace_.events()) {
        event(each);
        flow(each);
      }
    });
  });
}

void writeChromeTrace(llvm::raw_ostream &out, const Trace &trace) {
  ChromeWriter(out, trace).write();
  out << '\n';
}

} // namespace pto
