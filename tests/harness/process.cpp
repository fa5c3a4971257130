#include "harness/process.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

namespace pto::test {

/// No golden may take longer.
#ifdef __SANITIZE_ADDRESS__
static constexpr unsigned kMaxSeconds = 580; // Everything takes ten times as long.
#else
static constexpr unsigned kMaxSeconds = 120;
#endif

ScratchFolder::ScratchFolder() {
  llvm::SmallString<128> path;
  if (!llvm::sys::fs::createUniqueDirectory("pto-golden", path))
    path_ = path.str();
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty())
    (void)llvm::sys::fs::remove_directories(path_);
}

std::string ScratchFolder::file(llvm::StringRef name) const { return path_ + "/" + name.str(); }

std::string ScratchFolder::hide(llvm::StringRef text) const {
  std::string result = text.str();
  std::string prefix = path_ + "/";
  for (size_t at = result.find(prefix); at != std::string::npos; at = result.find(prefix, at))
    result.erase(at, prefix.size());
  return result;
}

static std::string ptoBinary() {
  const char *chosen = std::getenv("PTO_BIN");
  return chosen ? chosen : PTO_BIN;
}

/// Fills %s, %t and %i in a word.
static std::string expand(llvm::StringRef word, const Golden &golden,
                          const ScratchFolder &scratch) {
  std::string result;
  while (!word.empty()) {
    if (word.consume_front("%s"))
      result += golden.fileName();
    else if (word.consume_front("%t"))
      result += scratch.file("scratch");
    else if (word.consume_front("%i"))
      result += scratch.file(golden.fileName());
    else {
      result += word.front();
      word = word.drop_front();
    }
  }
  return result;
}

Outcome run(const Golden &golden, const Command &command, const ScratchFolder &scratch) {
  std::vector<std::string> words;
  words.reserve(command.words.size());
  for (llvm::StringRef word : command.words)
    words.push_back(expand(word, golden, scratch));
  if (words.empty() || words.front() != "pto")
    return {"", 0, "a RUN line starts with `pto`"};
  words.front() = ptoBinary();
  if (llvm::Error error = writeText(scratch.file(golden.fileName()), golden.body))
    return {"", 0, llvm::toString(std::move(error))};
  if (std::error_code failure = llvm::sys::fs::set_current_path(golden.folder()))
    return {"", 0, failure.message()};

  std::string input;
  if (words.size() > 2 && words[words.size() - 2] == "<") {
    input = words.back();
    words.resize(words.size() - 2);
  }
  std::string log = scratch.file("output");
  (void)llvm::sys::fs::remove(log); // The streams are not emptied when they are opened.
  llvm::SmallVector<llvm::StringRef> args(words.begin(), words.end());
  std::optional<llvm::StringRef> streams[] = {llvm::StringRef(input), llvm::StringRef(log),
                                              llvm::StringRef(log)};
  Outcome outcome;
  outcome.exit = llvm::sys::ExecuteAndWait(words.front(), args, std::nullopt, streams, kMaxSeconds,
                                           0, &outcome.failure);
  if (outcome.exit < 0 && outcome.failure.empty())
    outcome.failure = "the process ended without an exit code";
  if (llvm::Expected<std::string> output = readText(log))
    outcome.output = scratch.hide(*output);
  else
    outcome.failure = llvm::toString(output.takeError());
  return outcome;
}

} // namespace pto::test
