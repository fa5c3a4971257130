#include "meta/docs_page.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

namespace pto::test {

bool FencedBlock::isOf(llvm::StringRef language) const {
  return !words.empty() && words.front() == language;
}

bool FencedBlock::has(llvm::StringRef option) const { return llvm::is_contained(words, option); }

std::string FencedBlock::option(llvm::StringRef key) const {
  for (llvm::StringRef word : words)
    if (word.consume_front(key) && word.consume_front("="))
      return word.str();
  return "";
}

std::vector<FencedBlock> readBlocks(const SourceFile &page) {
  std::vector<FencedBlock> blocks;
  bool isOpen = false;
  size_t number = 0;
  for (llvm::StringRef line : page.lines()) {
    ++number;
    if (!line.consume_front("```")) {
      if (isOpen)
        blocks.back().text += line.str() + "\n";
      continue;
    }
    isOpen = !isOpen;
    if (!isOpen)
      continue;
    llvm::SmallVector<llvm::StringRef> words;
    line.split(words, ' ', -1, false);
    blocks.push_back({page.path + ":" + std::to_string(number), {}, ""});
    for (llvm::StringRef word : words)
      blocks.back().words.push_back(word.str());
  }
  EXPECT_FALSE(isOpen) << page.path << " has a block that is never closed";
  return blocks;
}

} // namespace pto::test
