//===- coverage_test.cpp - every row of the tables occurs in some program ----===//
//
// Programs are all that the repository shows or tests: examples and goldens. What no program can
// reach has an excuse with its reason; an excuse that is no longer needed fails too.
//
//===----------------------------------------------------------------------===//
#include "meta/source_tree.h"

#include "driver/compile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

namespace pto::test {

using Excuses = std::map<std::string, std::string>;
using Names = std::set<std::string>;

/// Rules that no program makes the tool say.
static const Excuses &excusedRules() {
  static const Excuses kExcuses = {};
  return kExcuses;
}

static const Excuses &excusedOpcodes() {
  static const Excuses kExcuses = {};
  return kExcuses;
}

static const Excuses &excusedNodes() {
  static const Excuses kExcuses = {};
  return kExcuses;
}

namespace {

/// What occurs in the programs of the repository, gathered once.
struct Seen {
  Names nodes;      ///< Of every file that could be read, also of wrong programs.
  Names intrinsics; ///< Called in a program that runs.
  Names opcodes;    ///< In the bytecode of such a program.
  Names engines;    ///< "a3 SDMA": a test for the platform reaches a session of the engine.
  Names platforms;
};

/// Notes the kinds of all nodes, and the names that are called.
struct NodeCollector {
  Names &nodes;
  Names &called;
  void visit(const ast::Node *node) {
    if (!node)
      return;
    nodes.insert(ast::name(node->kind).str());
    if (const auto *call = llvm::dyn_cast<ast::CallExpr>(node)) {
      if (const auto *callee = llvm::dyn_cast_or_null<ast::NameExpr>(call->callee))
        called.insert(callee->name.str());
      else if (const auto *method = llvm::dyn_cast_or_null<ast::MemberExpr>(call->callee))
        called.insert("hixl." + method->name.str()); // Nothing else has methods.
    }
    ast::forEachField(*node, *this);
  }
  void one(llvm::StringRef, const ast::Node *child) { visit(child); }
  template <typename T> void many(llvm::StringRef, llvm::ArrayRef<T *> children) {
    for (const ast::Node *child : children)
      visit(child);
  }
  void text(llvm::StringRef, llvm::StringRef) {}
  void flag(llvm::StringRef, bool) {}
  void op(llvm::StringRef, llvm::StringRef) {}
};

} // namespace

static void noteNodes(const ast::File &file, Names &nodes, Names &called) {
  NodeCollector collector{nodes, called};
  for (const ast::Item *item : file.items) {
    collector.visit(item);
    if (item)
      for (const ast::Allow *allow : item->allows)
        collector.visit(allow);
  }
}

/// The engines of the sessions that a function and what it calls or launches may build.
static void noteEngines(const Module &module, uint32_t function, std::set<uint32_t> &visited,
                        Names &engines) {
  if (!visited.insert(function).second)
    return;
  for (const Instruction &instruction : module.functions[function].code) {
    if (instruction.opcode == Opcode::Call || instruction.opcode == Opcode::Launch)
      noteEngines(module, instruction.operands[0], visited, engines);
    if (instruction.opcode == Opcode::Session)
      engines.insert(name(DmaEngine(instruction.operands[2])).str());
  }
}

static void noteTargets(const Module &module, Seen &seen) {
  for (const Entry &entry : module.entries) {
    llvm::Expected<Target> target = parseTarget(entry.target.empty() ? "a3" : entry.target);
    if (!target) {
      llvm::consumeError(target.takeError());
      continue;
    }
    llvm::StringRef platform = info(target->platform).name;
    seen.platforms.insert(platform.str());
    std::set<uint32_t> visited;
    Names engines;
    noteEngines(module, entry.function, visited, engines);
    for (const std::string &engine : engines)
      seen.engines.insert((platform + " " + engine).str());
  }
}

static void noteProgram(const SourceFile &program, Seen &seen) {
  Sources sources;
  llvm::Expected<FileId> file = sources.open(PTO_SOURCE_DIR "/" + program.path);
  if (!file) {
    ADD_FAILURE() << llvm::toString(file.takeError());
    return;
  }
  Sink sink(sources);
  Compilation compilation = compile(sources, *file, CompileOptions(), sink);
  Names called;
  for (const auto &tree : compilation.files)
    noteNodes(*tree, seen.nodes, called);
  if (!compilation.isRunnable)
    return;
  for (const std::string &name : called)
    if (intrinsicByName(name))
      seen.intrinsics.insert(name);
  for (const Function &function : compilation.module.functions)
    for (const Instruction &instruction : function.code)
      seen.opcodes.insert(info(instruction.opcode).mnemonic.str());
  noteTargets(compilation.module, seen);
}

static std::vector<SourceFile> readPrograms() {
  return readTree({"examples", "tests/golden"}, {".pto"});
}

static const Seen &seen() {
  static const Seen kSeen = [] {
    Seen seen;
    for (const SourceFile &program : readPrograms())
      noteProgram(program, seen);
    return seen;
  }();
  return kSeen;
}

/// Fails for a row that does not occur and has no excuse, and for an excuse of one that does.
static void expectAll(llvm::StringRef what, const Names &rows, const Names &seen,
                      const Excuses &excuses) {
  for (const std::string &row : rows)
    if (!seen.count(row) && !excuses.count(row))
      ADD_FAILURE() << "no example or golden has the " << what.str() << " `" << row << "`";
  for (const auto &[row, reason] : excuses) {
    EXPECT_TRUE(rows.count(row)) << "there is no " << what.str() << " `" << row << "`";
    EXPECT_FALSE(seen.count(row)) << row << " needs no excuse any more: " << reason;
  }
}

TEST(Coverage, EveryRuleHasABadAndAGoodProgram) {
  Names rows, bad, good;
  for (const RuleInfo &row : rules())
    rows.insert(row.slug.str());
  for (const SourceFile &program : readTree({"tests/golden/rules"}, {".pto"})) {
    std::string slug = llvm::sys::path::filename(llvm::sys::path::parent_path(program.path)).str();
    if (program.name().starts_with("bad-"))
      bad.insert(slug);
    if (program.name().starts_with("ok-"))
      good.insert(slug);
  }
  expectAll("bad program of rule", rows, bad, excusedRules());
  expectAll("good program of rule", rows, good, excusedRules());
}

TEST(Coverage, EveryOpcodeIsLoweredTo) {
  Names rows;
  for (unsigned i = 0; i != kOpcodeCount; ++i)
    rows.insert(info(Opcode(i)).mnemonic.str());
  expectAll("instruction", rows, seen().opcodes, excusedOpcodes());
}

TEST(Coverage, EveryIntrinsicIsCalled) {
  Names rows;
  for (const IntrinsicInfo &row : intrinsics())
    rows.insert(row.name.str());
  expectAll("call", rows, seen().intrinsics, {});
}

TEST(Coverage, EveryNodeIsBuilt) {
  Names rows = {
#define PTO_NODE(Name, Category, Fields) #Name,
#include "ast/node.def"
  };
  expectAll("node", rows, seen().nodes, excusedNodes());
}

TEST(Coverage, EveryPlatformAndEngineRuns) {
  Names platformRows, engineNames;
  for (const PlatformInfo &row : platforms())
    platformRows.insert(row.name.str());
  for (const EngineInfo &row : engineRows())
    engineNames.insert((info(row.platform).name + " " + name(row.engine)).str());
  expectAll("platform", platformRows, seen().platforms, {});
  expectAll("engine", engineNames, seen().engines, {});
}

/// The slug of a finding in an expectation: `//> file:1:2: error: text [slug]`.
static std::string slugOf(llvm::StringRef line) {
  bool isFinding =
      line.contains(": error: ") || line.contains(": warning: ") || line.contains(": advice: ");
  size_t bracket = line.rfind('[');
  if (!line.contains("> ") || !isFinding || bracket == llvm::StringRef::npos)
    return "";
  return line.consume_back("]") ? line.substr(bracket + 1).str() : "";
}

TEST(Coverage, TestsNameRulesThatExist) {
  for (const SourceFile &program : readPrograms()) {
    llvm::StringRef path = program.path;
    if (path.consume_front("tests/golden/rules/")) {
      EXPECT_TRUE(ruleBySlug(path.split('/').first)) << program.path;
    }
    for (llvm::StringRef line : program.lines())
      if (std::string slug = slugOf(line); !slug.empty()) {
        EXPECT_TRUE(ruleBySlug(slug)) << program.path << ": " << line.str();
      }
  }
}

} // namespace pto::test
