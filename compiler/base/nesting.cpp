#include "base/nesting.h"

namespace pto {

bool isNestedDeeper(llvm::StringRef text, size_t most) {
  size_t depth = 0;
  bool isInString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isInString && c == '\\')
      ++i;
    else if (c == '"')
      isInString = !isInString;
    else if (!isInString && (c == '[' || c == '{') && ++depth > most)
      return true;
    else if (!isInString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

} // namespace pto
