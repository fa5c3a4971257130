// How ranks are joined and what leads where, as `pto targets` shows it.

#include "pages/pages.h"

#include "target/topology.h"
#include "target/types.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

/// "8 on HCCS, 16 on PCIe, all on RoCE"
static std::string levelsText(const TopologyInfo &topology) {
  std::string text;
  for (const TopologyLevel &level : topology.levels)
    text += (text.empty() ? "" : ", ") +
            (level.ranks == 0 ? std::string("all") : std::to_string(level.ranks)) + " on " +
            links()[level.link].name.str();
  return text;
}

static std::string orderText(const RouteInfo &route) {
  std::string text;
  for (Transport each : route.order)
    text += (text.empty() ? "" : ", ") + name(each).str();
  return text;
}

/// The types of atomic operations by one transport, where it takes any.
static void writeAtomics(llvm::raw_ostream &out, Transport by) {
  for (size_t use = size_t(TypeUse::AmoAdd); use != typeUses().size(); ++use)
    for (size_t i = 0; i != platforms().size(); ++i) {
      Platform platform = Platform(i);
      ElementTypes types = typesFor(platform, TypeUse(use), Transports(by));
      if (!types.empty() && transportsOn(platform).contains(by))
        out << llvm::left_justify(typeUses()[use].name, 18)
            << llvm::left_justify(name(by).str() + " on " + info(platform).name.str(), 27)
            << types.text() << '\n';
    }
}

std::string topologyText() {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto row = [&](llvm::StringRef one, const std::string &two, llvm::StringRef three) {
    out << llvm::left_justify(one, 18) << llvm::left_justify(two, 40) << three << '\n';
  };
  out << "topologies\n";
  for (const TopologyInfo &each : topologies())
    row(each.name, levelsText(each), each.meaning);
  out << "\nlinks\n";
  for (const LinkInfo &each : links())
    row(each.name, each.carries.text(), each.meaning);
  out << "\ncalls of SHMEM, and the order in which they try\n";
  for (const IsaValue &value : info(IsaEnum::Route).values)
    row(value.name, orderText(info(Route(value.number))), info(Route(value.number)).meaning);
  out << "\natomic operations of SHMEM by transport\n";
  for (const IsaValue &value : info(IsaEnum::Transport).values)
    writeAtomics(out, Transport(value.number));
  return text;
}

llvm::json::Array topologiesJson() {
  llvm::json::Array all;
  for (const TopologyInfo &each : topologies()) {
    llvm::json::Array levels;
    for (const TopologyLevel &level : each.levels)
      levels.push_back(llvm::json::Object{{"ranks", level.ranks},
                                          {"link", links()[level.link].name},
                                          {"carries", links()[level.link].carries.text()}});
    all.push_back(llvm::json::Object{
        {"name", each.name}, {"meaning", each.meaning}, {"levels", std::move(levels)}});
  }
  return all;
}

} // namespace pto
