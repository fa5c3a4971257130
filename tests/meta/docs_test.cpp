//===- docs_test.cpp - what the pages show is what happens --------------------===//
//
// In README.md and docs/*.md, by the words of the opening fence:
//
//   pto               a file: compiles for the default target, and all its tests and hosts run
//   clean pto error=SLUG    a file: exactly that rule finds something pto fragment      statements:
//   they parse as the body of a kernel … file=NAME       the file is also there for the console
//   blocks below it console           `$ pto …` or `$ ./dev run …`, then exactly what it prints sh
//   lines that begin with `pto` or `./dev` name commands and options that exist
//
//===----------------------------------------------------------------------===//
#include "meta/docs_page.h"
#include "tools/tool.h"

#include "driver/compile.h"
#include "parse/parse.h"
#include "world/world.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

namespace pto::test {

static std::vector<SourceFile> readPages() {
  std::vector<SourceFile> pages = readTree({"docs"}, {".md"});
  llvm::erase_if(pages,
                 [](const SourceFile &page) { return llvm::StringRef(page.path).count('/') > 1; });
  pages.push_back(readSource("README.md"));
  return pages;
}

static std::vector<FencedBlock> blocksOf(llvm::StringRef language) {
  std::vector<FencedBlock> blocks;
  for (const SourceFile &page : readPages())
    for (FencedBlock &block : readBlocks(page))
      if (block.isOf(language))
        blocks.push_back(std::move(block));
  return blocks;
}

//===--- Programs --------------------------------------------------------------===//

/// `slug: message` of what is wrong.
using Errors = std::vector<std::pair<std::string, std::string>>;

static void addErrors(llvm::ArrayRef<Finding> findings, Errors &errors) {
  for (const Finding &finding : findings)
    if (finding.severity == Severity::Error)
      errors.push_back({info(finding.rule).slug.str(), finding.message});
}

static void runEntries(const Module &module, Errors &errors) {
  for (const Entry &entry : module.entries) {
    RunOptions options;
    options.ranks = entry.ranks > 0 ? entry.ranks : options.ranks;
    options.blocks = entry.blocks > 0 ? entry.blocks : options.blocks;
    options.target = llvm::cantFail(parseTarget(
        entry.target.empty() ? llvm::StringRef(kDefaultTarget) : llvm::StringRef(entry.target)));
    options.seed = entry.seed;
    if (llvm::Expected<RunResult> result = run(module, entry, options, llvm::nulls()))
      addErrors(result->findings, errors);
    else
      errors.push_back({"environment", llvm::toString(result.takeError())});
  }
}

static Errors execute(llvm::StringRef text) {
  Sources sources;
  Sink sink(sources);
  CompileOptions options;
  options.refusesExpected = true;
  options.check.target = llvm::cantFail(parseTarget(kDefaultTarget));
  Compilation compilation = compile(sources, sources.add("page.pto", text), options, sink);
  Errors errors;
  addErrors(sink.findings(), errors);
  if (compilation.isRunnable)
    runEntries(compilation.module, errors);
  return errors;
}

static Errors parseBody(llvm::StringRef text) {
  Sources sources;
  Sink sink(sources);
  (void)parse(sources, sources.add("page.pto", ("kernel fragment() {\n" + text + "\n}\n").str()),
              sink);
  Errors errors;
  addErrors(sink.findings(), errors);
  return errors;
}

static void expectSlug(const FencedBlock &block, llvm::StringRef slug, const Errors &errors) {
  if (errors.empty() && !slug.empty())
    ADD_FAILURE() << block.where << ": nothing is found";
  for (const auto &[found, message] : errors)
    EXPECT_EQ(found, slug.str()) << block.where << ": " << message;
}

TEST(Docs, ProgramsDoWhatTheirFencesSay) {
  std::vector<FencedBlock> blocks = blocksOf("pto");
  EXPECT_GE(blocks.size(), 10u);
  for (const FencedBlock &block : blocks)
    expectSlug(block, block.option("error"),
               block.has("fragment") ? parseBody(block.text) : execute(block.text));
}

TEST(Docs, FencesAreKnown) {
  static const std::set<std::string> kLanguages = {"pto", "console", "sh", "text", "cpp", "json"};
  for (const SourceFile &page : readPages())
    for (const FencedBlock &block : readBlocks(page)) {
      EXPECT_TRUE(!block.words.empty() && kLanguages.count(block.words.front())) << block.where;
      for (llvm::StringRef word : llvm::ArrayRef(block.words).drop_front())
        EXPECT_TRUE(word == "fragment" || word.starts_with("error=") || word.starts_with("file="))
            << block.where;
    }
}

//===--- Commands -----------------------------------------------------------------===//

static std::vector<std::string> wordsOf(llvm::StringRef line) {
  llvm::SmallVector<llvm::StringRef> words;
  line.split('#').first.split(words, ' ', -1, false);
  return {words.begin(), words.end()};
}

/// Runs the commands of a console block among the files of its page.
static void expectConsole(const Workplace &place, const FencedBlock &block) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(block.text).rtrim('\n').split(lines, '\n');
  std::string printed;
  for (llvm::StringRef line : lines) {
    llvm::StringRef shown = line;
    if (!line.consume_front("$ "))
      continue;
    if (!line.consume_front("pto ") && !line.consume_front("./dev ")) {
      ADD_FAILURE() << block.where << ": a command is `pto` or `./dev run`";
      continue;
    }
    printed += shown.str() + "\n" + place.pto(wordsOf(line)).text();
  }
  EXPECT_EQ(block.text, printed) << block.where;
}

TEST(Docs, ConsolesShowWhatIsPrinted) {
  for (const SourceFile &page : readPages()) {
    Workplace place;
    for (const FencedBlock &block : readBlocks(page)) {
      if (std::string name = block.option("file"); !name.empty())
        place.write(name, block.text);
      if (block.isOf("console"))
        expectConsole(place, block);
    }
  }
}

/// The options that the help of a command lists, by command.
static const std::map<std::string, std::set<std::string>> &knownOptions() {
  static const auto kKnown = [] {
    std::map<std::string, std::set<std::string>> known;
    Workplace place;
    for (llvm::StringRef line : llvm::split(place.pto({"--help"}).out, '\n'))
      if (llvm::StringRef name = line.split(" - ").first.trim();
          line.starts_with("  ") && line.contains(" - ") && llvm::all_of(name, llvm::isAlpha))
        known[name.str()];
    for (auto &[command, options] : known)
      for (llvm::StringRef line : llvm::split(place.pto({command, "--help"}).out, '\n'))
        if (line.ltrim().starts_with("-"))
          options.insert(line.trim()
                             .take_until([](char c) { return c == ' ' || c == '=' || c == '<'; })
                             .str());
    return known;
  }();
  return kKnown;
}

static void expectKnown(const FencedBlock &block, llvm::StringRef line) {
  std::vector<std::string> words = wordsOf(line);
  if (words.size() < 2)
    return;
  auto command = knownOptions().find(words[1]);
  if (command == knownOptions().end()) {
    EXPECT_EQ(words[1], "--help") << block.where << ": there is no command `" << words[1] << "`";
    return;
  }
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front(2)) {
    bool isShort = word.starts_with("-D") || word.starts_with("-W") || !word.starts_with("-");
    EXPECT_TRUE(isShort || command->second.count(word.split('=').first.str()))
        << block.where << ": `pto " << words[1] << "` has no option " << word.str();
  }
}

TEST(Docs, ShellLinesNameWhatExists) {
  EXPECT_GE(knownOptions().size(), 8u);
  std::string dev = readSource("dev").text;
  for (const FencedBlock &block : blocksOf("sh"))
    for (llvm::StringRef line : llvm::split(block.text, '\n')) {
      if (line.starts_with("pto "))
        expectKnown(block, line);
      if (line.consume_front("./dev "))
        EXPECT_NE(dev.find("cmd_" + wordsOf(line).front() + "()"), std::string::npos)
            << block.where;
    }
}

//===--- The pages among themselves -----------------------------------------------===//

/// Targets of `[text](target)`, without those on the web.
static std::vector<std::string> linksOf(const SourceFile &page) {
  std::vector<std::string> links;
  llvm::StringRef rest = page.text;
  for (size_t at = rest.find("]("); at != llvm::StringRef::npos; at = rest.find("](")) {
    rest = rest.drop_front(at + 2);
    llvm::StringRef link = rest.take_until([](char c) { return c == ')'; });
    if (!link.contains("://"))
      links.push_back(link.str());
  }
  return links;
}

/// `#sessions-and-events` of a heading.
static std::string anchorOf(llvm::StringRef heading) {
  std::string anchor;
  for (char c : heading.ltrim("# ").lower())
    if (llvm::isAlnum(c) || c == ' ' || c == '-')
      anchor += c == ' ' ? '-' : c;
  return anchor;
}

static bool hasAnchor(const SourceFile &page, llvm::StringRef anchor) {
  return llvm::any_of(page.lines(), [&](llvm::StringRef line) {
    return line.starts_with("#") && anchorOf(line) == anchor;
  });
}

TEST(Docs, LinksLeadSomewhere) {
  for (const SourceFile &page : readPages())
    for (const std::string &link : linksOf(page)) {
      auto [path, anchor] = llvm::StringRef(link).split('#');
      llvm::SmallString<64> file(llvm::sys::path::parent_path(page.path));
      llvm::sys::path::append(file, path.empty() ? page.name() : path);
      llvm::sys::path::remove_dots(file, true);
      SourceFile target = readSource(file);
      EXPECT_FALSE(target.text.empty()) << page.path << ": " << link;
      if (!anchor.empty())
        EXPECT_TRUE(hasAnchor(target, anchor)) << page.path << ": " << link;
    }
}

TEST(Docs, ArchitectureNamesEveryRoomAndTable) {
  std::string text = readSource("docs/architecture.md").text;
  for (const SourceFile &file : readTree({"compiler", "runtime"}, {".h", ".cpp", ".def"})) {
    auto [top, rest] = llvm::StringRef(file.path).split('/');
    std::string room = ("`" + top + "/" + rest.split('/').first + "`").str();
    EXPECT_NE(text.find(room), std::string::npos) << "docs/architecture.md has no row for " << room;
    if (file.isTable())
      EXPECT_NE(text.find(file.name()), std::string::npos)
          << "docs/architecture.md has no row for " << file.path;
  }
}

} // namespace pto::test
