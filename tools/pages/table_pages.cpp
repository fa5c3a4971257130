#include "pages/pages.h"

#include "builtin/intrinsic.h"
#include "bytecode/opcode.h"
#include "target/topology.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

static const EngineInfo *engineRow(Platform platform, DmaEngine engine) {
  for (const EngineInfo &row : engineRows())
    if (row.platform == platform && row.engine == engine)
      return &row;
  return nullptr;
}

/// An engine on a platform, as the matrix shows it.
static std::string engineText(Platform platform, DmaEngine engine) {
  const EngineInfo *row = engineRow(platform, engine);
  if (!row)
    return "no";
  return row->put == TransferMode::Sync ? "get async, put in the call" : "async";
}

static std::string needsText(Platform platform, DmaEngine engine) {
  const EngineInfo *row = engineRow(platform, engine);
  return row ? row->needs.str() : "";
}

std::string targetsText() {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto row = [&](llvm::StringRef title, auto cell) {
    out << llvm::left_justify(title, 18);
    for (size_t i = 0; i != platforms().size(); ++i)
      out << llvm::left_justify(cell(Platform(i)), 28);
    out << '\n';
  };
  row("", [](Platform p) { return info(p).name.str(); });
  row("", [](Platform p) { return info(p).meaning.str(); });
  for (const IsaValue &engine : info(IsaEnum::DmaEngine).values) {
    row(engine.name, [&](Platform p) { return engineText(p, DmaEngine(engine.number)); });
    row("  needs", [&](Platform p) { return needsText(p, DmaEngine(engine.number)); });
  }
  row("SHMEM by", [](Platform p) { return transportsOn(p).text(); });
  row("UB bytes", [](Platform p) { return std::to_string(info(p).ubBytes); });
  row("vector cores", [](Platform p) { return std::to_string(info(p).cores); });
  row("window head", [](Platform p) { return std::to_string(info(p).windowHeadBytes); });
  row("GM bytes", [](Platform p) { return std::to_string(info(p).gmBytes); });
  for (size_t i = 0; i != traits().size(); ++i)
    row(traits()[i].title, [&](Platform p) {
      int64_t value = trait(p, Trait(i));
      return value < 0 ? "unknown" : value == 0 ? "none" : std::to_string(value);
    });
  // Trailing blanks of the last column are of no use to anybody.
  std::string trimmed;
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    trimmed += line.rtrim().str() + "\n";
    rest = after;
  }
  return trimmed + "\n" + typesText() + "\n" + topologyText();
}

llvm::json::Object targetsJson() {
  llvm::json::Array rows;
  for (size_t i = 0; i != platforms().size(); ++i) {
    const PlatformInfo &platform = platforms()[i];
    llvm::json::Object engines;
    for (const IsaValue &engine : info(IsaEnum::DmaEngine).values) {
      std::string needs = needsText(Platform(i), DmaEngine(engine.number));
      engines[engine.name] = engineText(Platform(i), DmaEngine(engine.number)) +
                             (needs.empty() ? "" : ", needs " + needs);
    }
    llvm::json::Object numbers;
    for (size_t t = 0; t != traits().size(); ++t)
      numbers[traits()[t].title] = trait(Platform(i), Trait(t));
    rows.push_back(llvm::json::Object{{"name", platform.name},
                                      {"meaning", platform.meaning},
                                      {"engines", std::move(engines)},
                                      {"shmem_by", transportsOn(Platform(i)).text()},
                                      {"ub_bytes", platform.ubBytes},
                                      {"cores", platform.cores},
                                      {"window_head_bytes", platform.windowHeadBytes},
                                      {"gm_bytes", platform.gmBytes},
                                      {"traits", std::move(numbers)},
                                      {"types", typesJson(Platform(i))}});
  }
  return llvm::json::Object{{"targets", std::move(rows)}, {"topologies", topologiesJson()}};
}

static constexpr llvm::StringLiteral kGenerated =
    "This page is generated from the tables of the source; do not edit it.\n\n";

static std::string instructionsPage() {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "# Instructions\n\n" << kGenerated;
  for (const IntrinsicInfo &row : intrinsics())
    out << "* `" << row.signature() << "`: " << row.meaning << ". "
        << (row.side == Side::Both ? "kernel and host" : name(row.side))
        << " code. Source: " << row.source << "\n";
  out << "\n## Enumerators\n\n";
  for (const IsaEnumInfo &row : isaEnums()) {
    out << "* `" << row.name << "`, " << row.meaning << ": ";
    llvm::interleaveComma(row.values, out,
                          [&](const IsaValue &value) { out << '`' << value.name << '`'; });
    out << "\n";
  }
  return text;
}

static std::string bytecodePage() {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "# Bytecode\n\n"
      << kGenerated << "| instruction | class | operands | meaning |\n| --- | --- | --- | --- |\n";
  for (unsigned i = 0; i != kOpcodeCount; ++i) {
    const OpcodeInfo &row = info(Opcode(i));
    out << "| `" << row.mnemonic << (row.isTyped ? ".T" : "") << "` | " << name(row.opcodeClass)
        << " | ";
    llvm::interleaveComma(llvm::ArrayRef(row.operands, row.operandCount), out,
                          [&](OperandKind kind) { out << name(kind); });
    std::string meaning = row.meaning.str(); // A bar would end the cell.
    for (size_t at = 0; (at = meaning.find('|', at)) != std::string::npos; at += 2)
      meaning.insert(at, "\\");
    out << " | " << meaning << " |\n";
  }
  return text;
}

static std::string platformsPage() {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "# Targets\n\n" << kGenerated << "```\n" << targetsText() << "```\n\n";
  for (const TraitInfo &row : traits())
    out << "* " << row.title << ": " << row.meaning << ". Source: " << row.source << "\n";
  out << "\n## Limits\n\n";
  out << "| limit | value | meaning | source |\n| --- | --- | --- | --- |\n";
  for (const LimitInfo &row : limits())
    out << "| " << row.name << " | " << row.value << " | " << row.meaning << " | " << row.source
        << " |\n";
  out << "\n## Costs of virtual time\n\nPicoseconds, unless the meaning says otherwise.\n\n";
  out << "| cost | value | meaning | source |\n| --- | --- | --- | --- |\n";
  for (const LimitInfo &row : costs())
    out << "| " << row.name << " | " << row.value << " | " << row.meaning << " | " << row.source
        << " |\n";
  return text;
}

static std::string rulesPage() {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "# Rules\n\n"
      << kGenerated << "| rule | kind | said when | what |\n| --- | --- | --- | --- |\n";
  for (const RuleInfo &row : rules())
    out << "| [" << row.slug << "](../rules/" << row.slug << ".md) | " << name(row.kind) << " | "
        << name(row.phase) << " | " << row.message << " |\n";
  return text;
}

std::vector<Page> referencePages() {
  std::vector<Page> pages = {
      {"reference/instructions.md", instructionsPage()}, {"reference/bytecode.md", bytecodePage()},
      {"reference/targets.md", platformsPage()},         {"reference/rules.md", rulesPage()},
      {"reference/hixl.md", hixlPage(kGenerated)},       {"reference/account.tsv", accountPage()}};
  for (size_t i = 0; i != rules().size(); ++i)
    pages.push_back({("rules/" + rules()[i].slug + ".md").str(), rulePage(Rule(i))});
  return pages;
}

} // namespace pto
