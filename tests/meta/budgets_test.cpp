//===- budgets_test.cpp - sizes and habits of the text -----------------------===//
//
// A file that hits its budget hides a noun: find it before adding a line here. Each excuse has a
// reason; an excuse that is no longer needed fails too.
//
//===----------------------------------------------------------------------===//
#include "meta/source_tree.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

#include <map>

namespace pto::test {

static constexpr size_t kMaxFileLines = 400;
static constexpr size_t kMaxHeaderLines = 150;
static constexpr size_t kMaxFunctionLines = 40;

/// What may be larger, and why.
using Excuses = std::map<std::string, std::string>;

static const Excuses &excusedFiles() {
  static const Excuses kExcuses = {};
  return kExcuses;
}

static const Excuses &excusedHeaders() {
  static const Excuses kExcuses = {
      {"compiler/check/body.h",
       "one class checks one body; its methods stand in a file per family"},
  };
  return kExcuses;
}

/// At most three, as `path:first line of the function`.
static const Excuses &excusedFunctions() {
  static const Excuses kExcuses = {
      {"runtime/vm/dispatch.cpp:static Outcome execute(Core &core, const Machine &machine, const "
       "Instruction &instruction) {",
       "the only switch over opcodes, a line or two each"},
  };
  return kExcuses;
}

static std::vector<SourceFile> readCode() {
  return readTree({"compiler", "runtime", "tools", "tests", "bench"}, {".cpp", ".h", ".def"});
}

/// Everything that a person may read; git may be absent, so the folders are named.
static std::vector<SourceFile> readAllText() {
  std::vector<SourceFile> files = readTree({"grammar", "compiler", "runtime", "stdlib", "examples",
                                            "tests", "tools", "docs", "bench", ".ci"},
                                           {".cpp", ".h", ".def", ".g4", ".pto", ".txt", ".md",
                                            ".cmake", ".sh", ".json", ".tsv", "run"});
  for (llvm::StringRef name : {"CMakeLists.txt", "dev", ".clang-tidy", ".clang-format"})
    files.push_back(readSource(name));
  return files;
}

/// Fails for what is over its budget without excuse, and for an excuse without need.
static void expectBudget(const std::map<std::string, size_t> &sizes, size_t budget,
                         const Excuses &excuses) {
  for (const auto &[name, lines] : sizes)
    if (lines > budget && !excuses.count(name))
      ADD_FAILURE() << name << " has " << lines << " lines of " << budget;
  for (const auto &[name, reason] : excuses) {
    auto at = sizes.find(name);
    if (at == sizes.end() || at->second <= budget)
      ADD_FAILURE() << name << " needs no excuse any more: " << reason;
  }
}

TEST(Budgets, FilesStaySmall) {
  std::map<std::string, size_t> sizes;
  for (const SourceFile &file : readCode())
    if (!file.isTable())
      sizes[file.path] = file.lines().size();
  expectBudget(sizes, kMaxFileLines, excusedFiles());
}

TEST(Budgets, HeadersStaySmall) {
  std::map<std::string, size_t> sizes;
  for (const SourceFile &file : readCode())
    if (file.isHeader())
      sizes[file.path] = file.lines().size();
  expectBudget(sizes, kMaxHeaderLines, excusedHeaders());
}

static size_t indentOf(llvm::StringRef line) { return line.size() - line.ltrim().size(); }

/// Whether a head, all of its lines joined, is a function's.
static bool isFunctionHead(llvm::StringRef head) {
  if (indentOf(head) > 2 || !head.contains('('))
    return false;
  head = head.ltrim();
  return llvm::none_of(llvm::ArrayRef<llvm::StringRef>{"if ", "for ", "while ", "switch ", "do ",
                                                       "} ", "namespace ", "struct ", "class ",
                                                       "enum "},
                       [&](llvm::StringRef word) { return head.starts_with(word); });
}

/// Lengths of functions by `path:first line`. A body ends with the `}` that stands below its start.
static void measureFunctions(const SourceFile &file, std::map<std::string, size_t> &sizes) {
  llvm::SmallVector<llvm::StringRef> lines = file.lines();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].ends_with("{"))
      continue;
    size_t head = i; // A head of several lines is indented from its second line on.
    while (head > 0 && indentOf(lines[head]) >= 4)
      --head;
    if (!isFunctionHead(llvm::join(llvm::ArrayRef(lines).slice(head, i - head + 1), " ")))
      continue;
    std::string end = std::string(indentOf(lines[head]), ' ') + "}";
    while (i + 1 < lines.size() && lines[i].rtrim(';') != end)
      ++i;
    sizes[file.path + ":" + lines[head].trim().str()] = i - head + 1;
  }
}

TEST(Budgets, FunctionsStaySmall) {
  std::map<std::string, size_t> sizes;
  for (const SourceFile &file : readCode())
    if (llvm::StringRef(file.path).ends_with(".cpp"))
      measureFunctions(file, sizes);
  expectBudget(sizes, kMaxFunctionLines, excusedFunctions());
  EXPECT_LE(excusedFunctions().size(), 3u);
}

TEST(Habits, NoIostreams) {
  for (const SourceFile &file : readCode())
    for (llvm::StringRef word : {"<iostr"
                                 "eam>",
                                 "std::"
                                 "cout",
                                 "std::"
                                 "cerr"})
      EXPECT_EQ(file.text.find(word), std::string::npos) << file.path << " has " << word.str();
}

TEST(Habits, NoTabs) {
  for (const SourceFile &file : readCode())
    EXPECT_EQ(file.text.find('\t'), std::string::npos) << file.path;
}

/// Whether `folder` stands in a line as the first part of an absolute path.
static bool hasPathIn(llvm::StringRef line, llvm::StringRef folder) {
  for (size_t at = line.find(folder); at != llvm::StringRef::npos; at = line.find(folder, at + 1)) {
    char before = at == 0 ? ' ' : line[at - 1];
    llvm::StringRef after = line.substr(at + folder.size());
    bool isFirst = !llvm::isAlnum(before) && !llvm::StringRef("_./})*").contains(before);
    bool isWhole = after.empty() || !(llvm::isAlnum(after.front()) || after.front() == '_');
    if (isFirst && isWhole)
      return true;
  }
  return false;
}

TEST(Habits, NoPathsOfAMachine) {
  for (const SourceFile &file : readAllText())
    for (llvm::StringRef line : file.lines())
      for (llvm::StringRef folder : {"/"
                                     "tmp",
                                     "/"
                                     "work",
                                     "/"
                                     "home",
                                     "/"
                                     "root"})
        EXPECT_FALSE(hasPathIn(line, folder)) << file.path << ": " << line.str();
}

} // namespace pto::test
