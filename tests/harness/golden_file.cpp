#include "harness/golden_file.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace pto::test {

llvm::StringRef Golden::fileName() const { return llvm::sys::path::filename(path); }

std::string Golden::folder() const { return llvm::sys::path::parent_path(path).str(); }

llvm::Expected<std::string> readText(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createFileError(path, buffer.getError());
  return (*buffer)->getBuffer().str();
}

llvm::Error writeText(llvm::StringRef path, llvm::StringRef text) {
  std::error_code failure;
  llvm::raw_fd_ostream out(path, failure);
  if (failure)
    return llvm::createFileError(path, failure);
  out << text;
  return llvm::Error::success();
}

std::vector<std::string> splitWords(llvm::StringRef line) {
  std::vector<std::string> words;
  for (line = line.ltrim(); !line.empty(); line = line.ltrim()) {
    char quote = line.front();
    if (quote == '"' || quote == '\'') {
      auto [word, rest] = line.drop_front().split(quote);
      words.push_back(word.str());
      line = rest;
      continue;
    }
    llvm::StringRef word = line.take_until([](char c) { return c == ' ' || c == '\t'; });
    words.push_back(word.str());
    line = line.drop_front(word.size());
  }
  return words;
}

/// Takes the lines at the end that start with `//>` off the text.
static std::optional<std::string> takeExpectation(llvm::StringRef &text, llvm::StringRef leader) {
  std::string mark = (leader + ">").str();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef rest = text.rtrim('\n');
  while (true) {
    size_t newline = rest.rfind('\n');
    size_t start = newline == llvm::StringRef::npos ? 0 : newline + 1;
    llvm::StringRef line = rest.substr(start);
    if (!line.consume_front(mark))
      break;
    line.consume_front(" ");
    lines.push_back(line);
    rest = rest.take_front(start == 0 ? 0 : newline);
  }
  if (lines.empty())
    return std::nullopt;
  text = rest;
  std::string expectation;
  for (llvm::StringRef line : llvm::reverse(lines))
    expectation += (line + "\n").str();
  return expectation;
}

/// Reads the RUN and EXIT lines; the first of them says how comments start.
static void readCommands(Golden &golden, llvm::StringRef text) {
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    bool isHash = line.starts_with("#");
    if (!line.consume_front(isHash ? "#" : "//"))
      continue;
    line = line.trim();
    int exit = 0;
    if (line.consume_front("RUN:")) {
      golden.leader = isHash ? "#" : "//";
      golden.commands.push_back({splitWords(line), std::nullopt});
    } else if (line.consume_front("EXIT:") && !golden.commands.empty() &&
               !line.trim().getAsInteger(10, exit)) {
      golden.commands.back().exit = exit;
    }
  }
}

llvm::Expected<Golden> readGolden(llvm::StringRef path) {
  llvm::Expected<std::string> text = readText(path);
  if (!text)
    return text.takeError();
  Golden golden;
  golden.path = path.str();
  readCommands(golden, *text);
  llvm::StringRef body = *text;
  golden.expectation = takeExpectation(body, golden.leader);
  golden.body = body.rtrim('\n').str() + "\n";
  return golden;
}

llvm::Error writeGolden(const Golden &golden, llvm::StringRef expectation) {
  std::string text = golden.body;
  if (!expectation.empty())
    text += '\n';
  expectation.consume_back("\n");
  llvm::SmallVector<llvm::StringRef> lines;
  if (text.size() > golden.body.size())
    expectation.split(lines, '\n');
  for (llvm::StringRef line : lines)
    text += golden.leader + (line.empty() ? ">" : "> ") + line.str() + "\n";
  return writeText(golden.path, text);
}

} // namespace pto::test
