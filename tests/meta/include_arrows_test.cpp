//===- include_arrows_test.cpp - which room may include which ----------------===//
//
// The table is the one to hold. Nouns never include verbs, verbs never include verbs; only the two
// conductors, driver and world, see their verbs. The CMake lists are compared with it.
//
//===----------------------------------------------------------------------===//
#include "meta/source_tree.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

namespace pto::test {

using Rooms = std::set<std::string>;

// clang-format off
static const std::map<std::string, Rooms> &arrows() {
  static const std::map<std::string, Rooms> kTable = {
      // compiler, nouns
      {"base",     {}},
      {"diag",     {"base"}},
      {"target",   {"base"}},
      {"hixl",     {"base", "diag", "target"}},
      {"builtin",  {"base", "target"}},
      {"ast",      {"base"}},
      {"program",  {"base", "target", "builtin", "hixl"}},
      {"graph",    {"base", "target", "builtin", "program"}},
      {"bytecode", {"base", "target", "diag"}},
      // compiler, verbs
      {"parse",    {"base", "diag", "ast"}},
      {"check",    {"base", "diag", "target", "builtin", "ast", "program", "hixl"}},
      {"flow",     {"base", "diag", "target", "hixl", "builtin", "program", "graph"}},
      {"sync",     {"base", "builtin", "program", "graph"}},
      {"mutate",   {"base", "builtin", "program"}},
      {"lower",    {"base", "diag", "builtin", "program", "bytecode"}},
      {"format",   {"base", "ast"}},
      // compiler, conductor
      {"driver",   {"base", "diag", "target", "builtin", "ast", "program", "bytecode", "parse",
                    "check", "sync", "flow", "mutate", "lower", "format"}},
      // runtime, nouns
      {"simd",     {"base"}},
      {"memory",   {"base", "target", "bytecode", "simd"}},
      {"port",     {"base", "diag", "target", "bytecode", "memory"}},
      {"trace",    {"base", "diag", "bytecode"}},
      // runtime, verbs
      {"vm",       {"base", "diag", "bytecode", "memory", "port", "trace"}},
      {"engine",   {"base", "diag", "target", "bytecode", "simd", "memory", "port", "trace"}},
      {"audit",    {"base", "diag", "bytecode", "memory", "port", "trace"}},
      {"report",   {"base", "diag"}},
      {"hixl_model", {"base", "diag", "target", "hixl", "port"}},
      // runtime, conductor
      {"world",    {"base", "diag", "target", "bytecode", "simd", "memory", "port", "trace", "vm",
                    "engine", "audit", "hixl", "hixl_model"}},
  };
  return kTable;
}
// clang-format on

/// The `room` of `compiler/room/file.cpp`; empty for a file outside of the rooms.
static std::string roomOf(llvm::StringRef path) {
  if (!path.consume_front("compiler/") && !path.consume_front("runtime/"))
    return "";
  return path.split('/').first.str();
}

/// The names that a file includes, those in angle brackets too.
static std::vector<llvm::StringRef> includesOf(const SourceFile &file) {
  std::vector<llvm::StringRef> names;
  for (llvm::StringRef line : file.lines()) {
    line = line.trim();
    if (!line.consume_front("#include"))
      continue;
    line = line.trim();
    if (line.consume_front("\"") || line.consume_front("<"))
      names.push_back(line.take_until([](char c) { return c == '"' || c == '>'; }));
  }
  return names;
}

static std::vector<SourceFile> readRooms() {
  return readTree({"compiler", "runtime", "tools"}, {".cpp", ".h", ".def"});
}

TEST(IncludeArrows, RoomsIncludeOnlyTheirNeighbours) {
  for (const SourceFile &file : readRooms()) {
    std::string from = roomOf(file.path);
    if (from.empty())
      continue; // Tools may see everything.
    ASSERT_TRUE(arrows().count(from)) << file.path << ": a room that the table does not know";
    for (llvm::StringRef name : includesOf(file)) {
      std::string to = name.split('/').first.str();
      if (name.contains('/') && arrows().count(to) && to != from)
        EXPECT_TRUE(arrows().at(from).count(to))
            << file.path << " includes " << name.str() << ": " << from << " may not see " << to;
    }
  }
}

TEST(IncludeArrows, HeadersAreNamedByTheirRoom) {
  for (const SourceFile &file : readTree({"compiler", "runtime"}, {".cpp", ".h", ".def"}))
    for (llvm::StringRef line : file.lines())
      if (line.trim().starts_with("#include \"") && !line.contains("antlr4-runtime.h"))
        EXPECT_TRUE(line.contains('/')) << file.path << ": " << line.str();
}

TEST(IncludeArrows, OnlyParseSeesAntlr) {
  for (const SourceFile &file : readRooms())
    for (llvm::StringRef name : includesOf(file))
      if (name.starts_with("antlr4") || name.starts_with("grammar/"))
        EXPECT_EQ(roomOf(file.path), "parse") << file.path << " includes " << name.str();
}

TEST(IncludeArrows, OnlySimdSeesHighway) {
  for (const SourceFile &file : readRooms())
    for (llvm::StringRef name : includesOf(file))
      if (name.starts_with("hwy/"))
        EXPECT_EQ(roomOf(file.path), "simd") << file.path << " includes " << name.str();
}

TEST(IncludeArrows, TheTableHasNoCycle) {
  Rooms above;
  for (size_t before = arrows().size() + 1; above.size() != before;) {
    before = above.size();
    for (const auto &[room, seen] : arrows())
      if (std::includes(above.begin(), above.end(), seen.begin(), seen.end()))
        above.insert(room);
  }
  EXPECT_EQ(above.size(), arrows().size()) << "some rooms include each other in a circle";
}

/// Reads `pto_room(<name> [DEPENDS <rooms>…])`.
static std::map<std::string, Rooms> linksOf(const SourceFile &cmake) {
  std::map<std::string, Rooms> links;
  for (llvm::StringRef line : cmake.lines()) {
    if (!line.consume_front("pto_room("))
      continue;
    llvm::SmallVector<llvm::StringRef> words;
    line.take_until([](char c) { return c == ')'; }).split(words, ' ', -1, false);
    Rooms &rooms = links[words.front().str()];
    for (llvm::StringRef word : llvm::ArrayRef(words).drop_front())
      if (word != "DEPENDS")
        rooms.insert(word.str());
  }
  return links;
}

/// What a room is linked with, through others too.
static Rooms closureOf(const std::map<std::string, Rooms> &links, const std::string &room) {
  Rooms closure;
  std::vector<std::string> open = {room};
  while (!open.empty()) {
    auto at = links.find(open.back());
    open.pop_back();
    if (at == links.end())
      continue;
    for (const std::string &next : at->second)
      if (closure.insert(next).second)
        open.push_back(next);
  }
  return closure;
}

TEST(IncludeArrows, CMakeLinksWhatTheTableAllows) {
  std::map<std::string, Rooms> links = linksOf(readSource("compiler/CMakeLists.txt"));
  links.merge(linksOf(readSource("runtime/CMakeLists.txt")));
  EXPECT_EQ(links.size(), arrows().size());
  for (const auto &[room, seen] : arrows()) {
    ASSERT_TRUE(links.count(room)) << room << " is no library";
    for (const std::string &link : links.at(room))
      EXPECT_TRUE(seen.count(link)) << room << " is linked with " << link << " but may not see it";
    Rooms closure = closureOf(links, room);
    for (const std::string &neighbour : seen)
      EXPECT_TRUE(closure.count(neighbour)) << room << " is not linked with " << neighbour;
  }
}

} // namespace pto::test
