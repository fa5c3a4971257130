#include "harness/verdicts.h"

#include "harness/diff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

#include <map>

namespace pto::test {

// A sanitizer slows runs tenfold, and looks at the code rather than at the schedules.
#ifdef __SANITIZE_ADDRESS__
static constexpr llvm::StringLiteral kSeeds = "1";
#else
static constexpr llvm::StringLiteral kSeeds = "2";
#endif

/// The lines of the tests of each file, by the file's path in the folder.
using Verdicts = std::map<std::string, std::string>;

static std::string verdictFile(llvm::StringRef folder) {
  return inProject((folder + "/expected.txt").str());
}

static Verdicts readVerdicts(llvm::StringRef folder) {
  Verdicts verdicts;
  std::string text, *lines = nullptr;
  if (llvm::Expected<std::string> read = readText(verdictFile(folder)))
    text = std::move(*read);
  else
    llvm::consumeError(read.takeError());
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    if (line.empty())
      continue;
    bool isVerdict = line.consume_front("  ");
    if (!isVerdict)
      lines = &verdicts[line.str()];
    else if (lines)
      *lines += (line + "\n").str();
  }
  return verdicts;
}

static llvm::Error writeVerdicts(llvm::StringRef folder, const Verdicts &verdicts) {
  std::string text;
  for (const auto &[file, lines] : verdicts) {
    text += file + "\n";
    for (llvm::StringRef line : llvm::split(llvm::StringRef(lines).rtrim('\n'), '\n'))
      text += ("  " + line + "\n").str();
  }
  return writeText(verdictFile(folder), text);
}

/// "…, a3, 2 seeds)…" and "…, a3, seed 0)…" without the seeds.
static std::string withoutSeeds(llvm::StringRef line) {
  auto [how, proof] = line.rsplit(')');
  auto [rest, seeds] = how.rsplit(", ");
  return seeds.contains("seed") ? (rest + ")" + proof).str() : line.str();
}

static std::string verdictsOf(llvm::StringRef output) {
  std::string lines;
  for (llvm::StringRef line : llvm::split(output, '\n'))
    if (line.starts_with("test \"") || line.starts_with("host "))
      lines += withoutSeeds(line) + "\n";
  return lines;
}

static llvm::StringRef inFolder(llvm::StringRef folder, llvm::StringRef path) {
  path.consume_front(folder);
  path.consume_front("/");
  return path;
}

Transcript expectVerdicts(llvm::StringRef folder, llvm::StringRef path) {
  llvm::Expected<Golden> program = readGolden(inProject(path));
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  if (program->commands.empty())
    program->commands.push_back({{"pto", "test", "%s", "--seeds", kSeeds.str()}, {}});
  Transcript transcript = runAll(*program);
  EXPECT_EQ(transcript.exit, 0) << transcript.output;
  EXPECT_EQ(transcript.output.find("warning: "), std::string::npos) << transcript.output;

  Verdicts verdicts = readVerdicts(folder);
  std::string &held = verdicts[inFolder(folder, path).str()];
  std::string said = verdictsOf(transcript.output);
  if (said == held || ::testing::Test::HasFailure())
    return transcript;
  if (!isUpdating()) {
    ADD_FAILURE() << verdictFile(folder) << ": the tests of " << path.str()
                  << " say something else (- expected, + got)\n"
                  << unifiedDiff(held, said) << transcript.output;
    return transcript;
  }
  held = std::move(said);
  if (llvm::Error error = writeVerdicts(folder, verdicts))
    ADD_FAILURE() << llvm::toString(std::move(error));
  return transcript;
}

void expectNoFurtherVerdicts(llvm::StringRef folder, llvm::ArrayRef<std::string> paths) {
  Verdicts verdicts = readVerdicts(folder);
  size_t count = verdicts.size();
  std::erase_if(verdicts, [&](const auto &entry) {
    bool isThere = llvm::is_contained(paths, (folder + "/" + entry.first).str());
    EXPECT_TRUE(isThere || isUpdating()) << verdictFile(folder) << ": there is no " << entry.first;
    return !isThere;
  });
  if (verdicts.size() == count || !isUpdating())
    return;
  if (llvm::Error error = writeVerdicts(folder, verdicts))
    ADD_FAILURE() << llvm::toString(std::move(error));
}

} // namespace pto::test
