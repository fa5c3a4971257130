//===- hixl.cpp - `pto hixl`: its tables -------------------------------------------===//

#include "pages/pages.h"
#include "pto/command.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace pto {

Exit hixlCommand(const Options &options) {
  std::vector<llvm::StringRef> topics = hixlTopics();
  std::vector<llvm::StringRef> wanted(options.files.begin(), options.files.end());
  for (llvm::StringRef topic : wanted)
    if (!llvm::is_contained(topics, topic))
      return fail(options, "there is no table '" + topic + "' of HIXL; there are " +
                               llvm::join(topics, ", "));
  llvm::interleave(
      wanted.empty() ? topics : wanted,
      [](llvm::StringRef topic) { llvm::outs() << hixlText(topic); }, [] { llvm::outs() << '\n'; });
  return Exit::Fine;
}

} // namespace pto
