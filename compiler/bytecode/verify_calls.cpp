//===- verify_calls.cpp - calls, launches, and where code may run ----------===//
#include "bytecode/asm_text.h"
#include "bytecode/limits.h"
#include "bytecode/verify_parts.h"

#include "llvm/ADT/SetVector.h"

#include <algorithm>

namespace pto {

namespace {

/// What the call graph says of one function.
struct Node {
  llvm::SmallSetVector<uint32_t, 4> callees;
  uint32_t callers = 0; ///< Not yet visited.
  /// A kernel and a host that reach the function, if there are any.
  const Function *kernel = nullptr;
  const Function *host = nullptr;
};

class CallVerifier {
public:
  explicit CallVerifier(const Module &module) : module_(module), nodes_(module.functions.size()) {}
  [[nodiscard]] llvm::Error run();

private:
  [[nodiscard]] llvm::Error verifyCall(uint32_t caller, size_t at);
  [[nodiscard]] llvm::Error verifyPassed(const Function &caller, size_t at, uint32_t scalarBase,
                                         uint32_t viewBase, const Function &callee) const;
  [[nodiscard]] llvm::Error sortCallersFirst();
  void spreadRoots();
  [[nodiscard]] llvm::Error verifyStack() const;
  [[nodiscard]] llvm::Error verifyContexts() const;

  const Module &module_;
  std::vector<Node> nodes_;     ///< By function.
  std::vector<uint32_t> order_; ///< Functions, each after all that call it.
};

llvm::Error CallVerifier::verifyPassed(const Function &caller, size_t at, uint32_t scalarBase,
                                       uint32_t viewBase, const Function &callee) const {
  CallShape shape = callShape(callee);
  if (scalarBase + shape.scalars > caller.registers.size())
    return invalid(caller, at,
                   "it passes " + llvm::Twine(shape.scalars) + " registers from r" +
                       llvm::Twine(scalarBase) + " on, there are " +
                       llvm::Twine(caller.registers.size()));
  if (viewBase + shape.views > caller.viewCount)
    return invalid(caller, at,
                   "it passes " + llvm::Twine(shape.views) + " views from v" +
                       llvm::Twine(viewBase) + " on, there are " + llvm::Twine(caller.viewCount));
  for (uint32_t i = 0; i != shape.scalars; ++i)
    if (RegisterType given = caller.registers[scalarBase + i]; given != callee.registers[i])
      return invalid(caller, at,
                     "r" + llvm::Twine(scalarBase + i) + " is " + name(given) + ", r" +
                         llvm::Twine(i) + " of " + nameText(callee.name) + " is " +
                         name(callee.registers[i]));
  return llvm::Error::success();
}

/// Checks one instruction that names a function, and notes who calls whom.
llvm::Error CallVerifier::verifyCall(uint32_t callerIndex, size_t at) {
  const Function &caller = module_.functions[callerIndex];
  const Instruction &instruction = caller.code[at];
  std::optional<unsigned> target = findOperand(instruction.opcode, OperandKind::func);
  if (!target)
    return llvm::Error::success();
  uint32_t index = instruction.operands[*target];
  const Function &callee = module_.functions[index];
  // Of the rows that name a function those of the host start a kernel; the others call.
  bool isLaunch = info(instruction.opcode).opcodeClass == OpcodeClass::Host;
  if (isLaunch && callee.kind != FunctionKind::Kernel)
    return invalid(caller, at, nameText(callee.name) + " is not a kernel");
  if (!isLaunch && callee.kind != FunctionKind::Function)
    return invalid(caller, at,
                   nameText(callee.name) + " is a kernel or a host, which nobody calls");
  if (!isLaunch && nodes_[callerIndex].callees.insert(index))
    ++nodes_[index].callers;
  return verifyPassed(caller, at, instruction.operands[*target + 1],
                      instruction.operands[*target + 2], callee);
}

/// Kahn's algorithm; what it cannot place is on a cycle, or called from one.
llvm::Error CallVerifier::sortCallersFirst() {
  for (uint32_t i = 0; i != nodes_.size(); ++i)
    if (nodes_[i].callers == 0)
      order_.push_back(i);
  for (size_t next = 0; next != order_.size(); ++next)
    for (uint32_t callee : nodes_[order_[next]].callees)
      if (--nodes_[callee].callers == 0)
        order_.push_back(callee);
  if (order_.size() == nodes_.size())
    return llvm::Error::success();
  auto isLeft = [](const Node &node) { return node.callers != 0; };
  size_t left = llvm::find_if(nodes_, isLeft) - nodes_.begin();
  return invalid(module_.functions[left], "it calls itself, or is called by functions that do");
}

void CallVerifier::spreadRoots() {
  for (uint32_t index : order_) {
    Node &node = nodes_[index];
    const Function &function = module_.functions[index];
    if (function.kind == FunctionKind::Kernel)
      node.kernel = &function;
    if (function.kind == FunctionKind::Host)
      node.host = &function;
    for (uint32_t callee : node.callees) {
      if (node.kernel)
        nodes_[callee].kernel = node.kernel;
      if (node.host)
        nodes_[callee].host = node.host;
    }
  }
}

/// Bounds what the deepest path of calls from each function needs.
llvm::Error CallVerifier::verifyStack() const {
  struct Need {
    uint64_t registers, ubBytes;
  };
  std::vector<Need> needs(nodes_.size());
  for (uint32_t index : llvm::reverse(order_)) {
    const Function &function = module_.functions[index];
    Need deepest = {};
    for (uint32_t callee : nodes_[index].callees)
      deepest = {std::max(deepest.registers, needs[callee].registers),
                 std::max(deepest.ubBytes, needs[callee].ubBytes)};
    needs[index] = {deepest.registers + function.registers.size() + function.viewCount,
                    deepest.ubBytes + function.ubBytes};
    if (needs[index].registers > kMaxStackRegisters)
      return invalid(function, "with all that it calls it needs " +
                                   llvm::Twine(needs[index].registers) +
                                   " registers, the limit is " + llvm::Twine(kMaxStackRegisters));
    if (needs[index].ubBytes > kMaxUbBytes)
      return invalid(function, "with all that it calls it needs " +
                                   llvm::Twine(needs[index].ubBytes) +
                                   " bytes of UB, the limit is " + llvm::Twine(kMaxUbBytes));
  }
  return llvm::Error::success();
}

/// Device instructions where no host comes by, host instructions where no kernel does.
llvm::Error CallVerifier::verifyContexts() const {
  for (size_t index = 0; index != nodes_.size(); ++index) {
    const Node &node = nodes_[index];
    const Function &function = module_.functions[index];
    for (size_t at = 0; at != function.code.size(); ++at) {
      Opcode opcode = function.code[at].opcode;
      if (node.host && isDeviceOnly(opcode))
        return invalid(function, at,
                       "only a kernel can run it, but host " + nameText(node.host->name) +
                           " comes here");
      if (node.kernel && info(opcode).opcodeClass == OpcodeClass::Host)
        return invalid(function, at,
                       "only a host can run it, but kernel " + nameText(node.kernel->name) +
                           " comes here");
    }
  }
  return llvm::Error::success();
}

llvm::Error CallVerifier::run() {
  for (uint32_t caller = 0; caller != nodes_.size(); ++caller)
    for (size_t at = 0; at != module_.functions[caller].code.size(); ++at)
      if (llvm::Error error = verifyCall(caller, at))
        return error;
  if (llvm::Error error = sortCallersFirst())
    return error;
  spreadRoots();
  if (llvm::Error error = verifyStack())
    return error;
  return verifyContexts();
}

} // namespace

llvm::Error verifyCalls(const Module &module) { return CallVerifier(module).run(); }

} // namespace pto
