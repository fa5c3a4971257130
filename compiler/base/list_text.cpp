#include "base/list_text.h"

namespace pto {

std::string listText(llvm::ArrayRef<llvm::StringRef> names, llvm::StringRef last) {
  if (names.empty())
    return "nothing";
  std::string text = names.front().str();
  for (size_t i = 1; i != names.size(); ++i)
    text += (i + 1 == names.size() ? " " + last.str() + " " : ", ") + names[i].str();
  return text;
}

} // namespace pto
