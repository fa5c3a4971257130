#include "bytecode/asm_text.h"
#include "bytecode/limits.h"
#include "bytecode/verify_parts.h"
#include "target/platform.h"

namespace pto {

static llvm::Error verifyEntry(const Module &module, const Entry &entry) {
  auto refuse = [&](const llvm::Twine &problem) {
    return invalid("entry " + nameText(entry.name) + ": " + problem);
  };
  if (!isText(entry.name) || !isText(entry.target))
    return refuse("its name or target is not UTF-8");
  if (entry.function >= module.functions.size())
    return refuse("function " + llvm::Twine(entry.function) + " does not exist");
  const Function &function = module.functions[entry.function];
  if (function.kind != FunctionKind::Host)
    return refuse("function " + nameText(function.name) + " is not a host");
  if (function.scalarParams != 0 || function.viewParams != 0)
    return refuse("host " + nameText(function.name) + " has parameters");
  if (entry.ranks < 0 || entry.ranks > limit(Limit::MaxRanks))
    return refuse(llvm::Twine(entry.ranks) + " ranks are out of range");
  if (entry.blocks < 0 || entry.blocks > kMaxBlocks)
    return refuse(llvm::Twine(entry.blocks) + " blocks are out of range");
  if (entry.servers < 0 || entry.servers > limit(Limit::MaxRanks))
    return refuse(llvm::Twine(entry.servers) + " ranks of a server are out of range");
  for (const std::string &fault : entry.faults)
    if (!isText(fault))
      return refuse("one of its faults is not UTF-8");
  for (Rule rule : entry.expectedViolations)
    if (size_t(rule) >= rules().size())
      return refuse("it expects a rule that does not exist");
  if (!isPlace(module, entry.place))
    return refuse("its place is in no file");
  return llvm::Error::success();
}

llvm::Error verifyEntries(const Module &module) {
  for (const Entry &entry : module.entries)
    if (llvm::Error error = verifyEntry(module, entry))
      return error;
  return llvm::Error::success();
}

} // namespace pto
