// The texts of print and assert: `{}` takes the next queued value.

#include "vm/handlers.h"

namespace pto {

static constexpr size_t kMaxFormatArgs = 256; ///< Hand-written bytecode could queue without end.

void queueFormatArg(Core &core, ScalarType type, ScalarBits bits) {
  if (core.formatArgs.size() < kMaxFormatArgs)
    core.formatArgs.push_back(formatScalar(type, bits));
}

std::string takeFormatted(Core &core, llvm::StringRef form) {
  std::string text;
  size_t next = 0;
  while (next != core.formatArgs.size()) {
    size_t slot = form.find("{}");
    if (slot == llvm::StringRef::npos)
      break;
    text += form.take_front(slot);
    text += core.formatArgs[next++];
    form = form.drop_front(slot + 2);
  }
  core.formatArgs.clear();
  return text + form.str();
}

} // namespace pto
