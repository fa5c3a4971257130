#include "harness/suite.h"

#include "harness/diff.h"
#include "harness/process.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include "gtest/gtest.h"

#include <cstdlib>

namespace pto::test {

bool &isUpdating() {
  static bool updating = std::getenv("PTO_UPDATE") != nullptr;
  return updating;
}

std::string inProject(llvm::StringRef path) { return PTO_SOURCE_DIR "/" + path.str(); }

std::vector<std::string> listFiles(llvm::StringRef folder,
                                   llvm::function_ref<bool(llvm::StringRef path)> isWanted) {
  std::vector<std::string> files;
  std::error_code failure;
  size_t rootLength = inProject("").size();
  for (llvm::sys::fs::recursive_directory_iterator at(inProject(folder), failure), end;
       !failure && at != end; at.increment(failure)) {
    llvm::StringRef path = llvm::StringRef(at->path()).drop_front(rootLength);
    if (at->type() == llvm::sys::fs::file_type::regular_file && isWanted(path))
      files.push_back(path.str());
  }
  llvm::sort(files);
  return files;
}

std::string testName(llvm::StringRef path, llvm::StringRef folder) {
  path.consume_front(folder);
  path.consume_front("/");
  path.consume_back(".pto");
  std::string name = path.str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

Transcript runAll(const Golden &golden) {
  ScratchFolder scratch;
  Transcript transcript;
  for (const Command &command : golden.commands) {
    Outcome outcome = run(golden, command, scratch);
    transcript.output += outcome.output;
    transcript.exit = outcome.exit;
    if (!outcome.failure.empty()) {
      ADD_FAILURE() << golden.path << ": " << outcome.failure << "\n" << outcome.output;
      break;
    }
    if (&command != &golden.commands.back()) {
      EXPECT_EQ(outcome.exit, command.exit.value_or(0))
          << golden.path << ": " << llvm::join(command.words, " ") << "\n"
          << outcome.output;
    }
  }
  return transcript;
}

void expectOutput(const Golden &golden, llvm::StringRef output) {
  std::string expected = golden.expectation.value_or("");
  if (!output.empty() && !output.ends_with("\n"))
    expected.erase(expected.size() - (expected.empty() ? 0 : 1));
  if (output == expected || ::testing::Test::HasFailure())
    return;
  if (!isUpdating()) {
    ADD_FAILURE() << golden.path << ": other output (- expected, + got)\n"
                  << unifiedDiff(expected, output);
    return;
  }
  if (llvm::Error error = writeGolden(golden, output))
    ADD_FAILURE() << llvm::toString(std::move(error));
}

} // namespace pto::test
