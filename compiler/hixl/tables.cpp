#include "hixl/tables.h"

#include "hixl/columns.h"
#include "hixl/option.h"
#include "hixl/protocol.h"

#include "llvm/Support/raw_ostream.h"

namespace pto {

static std::string yes(bool holds) { return holds ? "yes" : "-"; }

static void writeStatuses(llvm::raw_ostream &out) {
  HixlColumns columns({"status", "code", "go on", "breaks M", "S", "F", "says"});
  for (const HixlStatusInfo &row : hixlStatuses())
    columns.add({row.name.str(), std::to_string(row.code), yes(row.isRecoverable),
                 yes(row.breaksLink[0]), yes(row.breaksLink[1]), yes(row.breaksLink[2]),
                 row.text.str()});
  columns.write("Statuses", out);
}

static void writeValues(llvm::StringRef title, llvm::ArrayRef<HixlValueInfo> rows,
                        llvm::raw_ostream &out) {
  HixlColumns columns({"name", "number", "seen", "means"});
  for (const HixlValueInfo &row : rows)
    columns.add({row.name.str(), std::to_string(row.number), yes(row.isSeen), row.text.str()});
  columns.write(title, out);
}

static void writeEngines(llvm::raw_ostream &out) {
  HixlColumns engines({"engine", "name", "is", "selected by"});
  for (const HixlEngineInfo &row : hixlEngines())
    engines.add({row.letter.str(), row.name.str(), row.text.str(), row.selectedBy.str()});
  engines.write("Engines", out);
  out << '\n';

  HixlColumns here({"target", "SoC", "default", "engines", "NIC port", "note"});
  for (size_t i = 0; i != platforms().size(); ++i) {
    const HixlPlatformInfo &row = hixlOn(Platform(i));
    here.add({platforms()[i].name.str(), row.soc.str(), info(row.engine).letter.str(),
              textOf(row.engines), row.nicPort == 0 ? "automatic" : std::to_string(row.nicPort),
              row.text.str()});
  }
  here.write("Engines of targets", out);
  out << '\n';

  HixlColumns differences({"what", "M", "S", "F"});
  for (const HixlDifference &row : hixlDifferences())
    differences.add({row.what.str(), row.on[0].str(), row.on[1].str(), row.on[2].str()});
  differences.write("What differs between engines", out);
}

static std::string rangeOf(int64_t least, int64_t most, HixlValue type) {
  switch (type) {
  case HixlValue::Switch:
    return "0 or 1";
  case HixlValue::Blocks:
    return "NUM:SIZE_MB";
  case HixlValue::Json:
    return "JSON";
  case HixlValue::Decimal:
    return "decimal in (0, 1)";
  case HixlValue::Truth:
    return "true or false";
  case HixlValue::Protocols:
    return "protocol:placement";
  case HixlValue::Path:
    return "path";
  case HixlValue::Integer:
    break;
  }
  return std::to_string(least) + ".." + std::to_string(most);
}

static void writeOptions(llvm::raw_ostream &out) {
  HixlColumns options({"option", "legacy key", "taken by", "value", "default", "effect"});
  for (const HixlOptionInfo &row : hixlOptions())
    options.add({row.key.str(), row.legacy.empty() ? "-" : row.legacy.str(), textOf(row.by),
                 rangeOf(row.least, row.most, row.type), row.fallback.str(), row.effect.str()});
  options.write("Options", out);
  out << '\n';

  HixlColumns resources({"key", "does something on", "value", "default", "effect"});
  for (const HixlResourceInfo &row : hixlResources())
    resources.add({row.key.str(), textOf(row.by), rangeOf(row.least, row.most, row.type),
                   row.fallback.str(), row.effect.str()});
  resources.write("Keys of GlobalResourceConfig", out);
  out << '\n';

  HixlColumns variables({"variable", "read by", "value", "default", "effect"});
  for (const HixlVariableInfo &row : hixlVariables())
    variables.add({row.name.str(), textOf(row.by), rangeOf(row.least, row.most, HixlValue::Integer),
                   row.fallback.str(), row.effect.str()});
  variables.write("Environment", out);
}

static void writeLimits(llvm::raw_ostream &out) {
  HixlColumns columns({"limit", "value", "of", "source"});
  for (const LimitInfo &row : hixlLimits())
    columns.add({row.name.str(), std::to_string(row.value), row.meaning.str(), row.source.str()});
  columns.write("Limits", out);
}

static std::string nameOf(HixlCommId form) {
  static constexpr llvm::StringLiteral kNames[] = {"-", "address", "32 hex digits", "number"};
  return kNames[size_t(form)].str();
}

static void writeProtocols(llvm::raw_ostream &out) {
  HixlColumns columns({"protocol", "placement", "comm_id", "crosses", "is"});
  for (const HixlProtocolInfo &row : hixlProtocols()) {
    std::string places;
    for (size_t i = 0; i != hixlMemTypes().size(); ++i)
      if (row.at.contains(HixlMemType(i)))
        places += (places.empty() ? "" : ", ") + hixlMemTypes()[i].placement.str();
    columns.add({row.name.str(), places.empty() ? "-" : places, nameOf(row.commId),
                 yes(row.crosses), row.text.str()});
  }
  columns.write("Protocols", out);
}

static void writeDirections(llvm::raw_ostream &out) {
  std::vector<std::string> head = {"target", "protocol"};
  for (const HixlDirectionInfo &row : hixlDirections())
    head.push_back(row.name.str());
  HixlColumns columns(head);
  for (size_t i = 0; i != platforms().size(); ++i)
    for (size_t j = 0; j != hixlProtocols().size(); ++j) {
      HixlDirections carried = hixlCarries(HixlProtocol(j), Platform(i));
      if (carried.empty())
        continue;
      std::vector<std::string> row = {platforms()[i].name.str(), hixlProtocols()[j].name.str()};
      for (size_t k = 0; k != hixlDirections().size(); ++k)
        row.push_back(yes(carried.contains(HixlDirection(k))));
      columns.add(row);
    }
  columns.write("Directions", out);
}

static void writeAllStatuses(llvm::raw_ostream &out) {
  writeStatuses(out);
  out << '\n';
  writeValues("Statuses of a transfer", hixlTransferStatuses(), out);
  out << '\n';
  writeValues("Statuses of an asynchronous connect", hixlConnectStatuses(), out);
  out << '\n';
  writeValues("Operations", hixlOps(), out);
  out << '\n';
  writeValues("Features", hixlFeatures(), out);
}

llvm::ArrayRef<HixlTable> hixlTables() {
  static constexpr HixlTable kTables[] = {
      {llvm::StringLiteral("statuses"), writeAllStatuses},
      {llvm::StringLiteral("engines"), writeEngines},
      {llvm::StringLiteral("options"), writeOptions},
      {llvm::StringLiteral("limits"), writeLimits},
      {llvm::StringLiteral("protocols"), writeProtocols},
      {llvm::StringLiteral("directions"), writeDirections},
  };
  return kTables;
}

} // namespace pto
