#include "lower/module_builder.h"

#include "lower/function_builder.h"

#include "bytecode/limits.h"
#include "bytecode/verify.h"

namespace pto::lower_detail {

uint32_t ModuleBuilder::string(llvm::StringRef text) {
  auto [entry, isNew] = strings_.try_emplace(text, uint32_t(module.strings.size()));
  if (isNew)
    module.strings.push_back(text.str());
  return entry->second;
}

uint32_t ModuleBuilder::constant(ScalarType type, ScalarBits bits) {
  // DenseMap keeps two keys for itself; neither is a type of the table.
  auto [entry, isNew] =
      constants_.try_emplace({unsigned(type), bits}, uint32_t(module.constants.size()));
  if (isNew)
    module.constants.push_back({type, bits});
  return entry->second;
}

uint32_t ModuleBuilder::function(const program::Function &function) {
  auto [entry, isNew] = functions_.try_emplace(&function, uint32_t(queue_.size()));
  if (isNew) {
    queue_.push_back(&function);
    module.functions.emplace_back();
  }
  return entry->second;
}

CodePlace ModuleBuilder::place(SourceRange range) {
  if (!range.valid())
    return {0, 1, 1, 1};
  if (files_.size() <= size_t(range.file))
    files_.resize(size_t(range.file) + 1);
  uint32_t &slot = files_[size_t(range.file)];
  if (slot == 0) {
    module.files.push_back(sources.name(range.file).str());
    slot = uint32_t(module.files.size());
  }
  Place at = sink.place(range);
  return {slot - 1, at.line, at.column, at.length};
}

void ModuleBuilder::addObjects() {
  for (const program::Object &from : program.objects) {
    Object object;
    object.name = from.name;
    object.type = from.type.scalar;
    object.isSignal = from.type.isSignal;
    object.isLocal = from.isLocal;
    object.isHost = from.isHost;
    object.align = from.align;
    for (const program::ObjectExtent &extent : from.shape)
      object.shape.push_back({extent.perRank, extent.fixed});
    object.hasInit = from.hasInit;
    object.init = from.init;
    object.place = place(from.range);
    module.objects.push_back(std::move(object));
  }
}

void ModuleBuilder::addEntries() {
  for (const program::Entry &from : program.entries) {
    Entry entry;
    entry.name = from.name;
    entry.isTest = from.isTest;
    entry.function = function(*from.function);
    entry.ranks = from.ranks;
    entry.blocks = from.blocks;
    entry.hasSeed = from.hasSeed;
    entry.seed = from.seed;
    entry.target = from.target;
    entry.topology = from.topology;
    entry.transports = from.transports;
    entry.servers = from.servers;
    entry.faults = from.faults;
    for (uint16_t rule : from.expectedViolations)
      entry.expectedViolations.push_back(Rule(rule));
    entry.place = place(from.range);
    module.entries.push_back(std::move(entry));
  }
}

/// Registers of a function and of the deepest chain of its callees; there is no recursion.
uint64_t ModuleBuilder::pathRegisters(uint32_t index) {
  auto [entry, isNew] = pathRegisters_.try_emplace(index, 0);
  if (!isNew)
    return entry->second;
  const Function &function = module.functions[index];
  uint64_t deepest = 0;
  for (const Instruction &instruction : function.code)
    if (instruction.opcode == Opcode::Call)
      deepest = std::max(deepest, pathRegisters(instruction.operands[0]));
  uint64_t registers = function.registers.size() + function.viewCount + deepest;
  pathRegisters_[index] = registers;
  return registers;
}

void ModuleBuilder::checkPaths() {
  for (uint32_t i = 0; i != module.functions.size(); ++i) {
    uint64_t registers = pathRegisters(i);
    if (registers > kMaxStackRegisters)
      sink.report<Rule::TooLarge>(
          queue_[i]->range, "`" + queue_[i]->name + "` and what it calls need " +
                                std::to_string(registers) + " registers, more than bytecode holds");
  }
}

void ModuleBuilder::run() {
  if (sources.size() > 0)
    (void)place({FileId(0), 0, 1}); // File 0 exists even in a module without code.
  addObjects();
  for (const auto &from : program.functions)
    if (from->kind == program::FunctionKind::Kernel)
      (void)function(*from);
  addEntries();
  for (size_t i = 0; i != queue_.size(); ++i) {
    Function lowered = lowerFunction(*this, *queue_[i]);
    bool fits = lowered.code.size() < kMaxCode && lowered.registers.size() < kMaxRegisters &&
                lowered.viewCount < kMaxRegisters;
    if (!fits)
      sink.report<Rule::TooLarge>(queue_[i]->range, "`" + queue_[i]->name + "` needs " +
                                                        std::to_string(lowered.code.size()) +
                                                        " instructions and " +
                                                        std::to_string(lowered.registers.size()) +
                                                        " registers, more than bytecode holds");
    module.functions[i] = std::move(lowered);
  }
  checkPaths();
  if (module.objects.size() > kMaxObjects)
    sink.report<Rule::TooLarge>(program.objects.back().range,
                                "the program declares " + std::to_string(module.objects.size()) +
                                    " windows and locals");
}

} // namespace pto::lower_detail

namespace pto {

Module lower(const program::Program &program, const Sources &sources, Sink &sink) {
  lower_detail::ModuleBuilder builder(program, sources, sink);
  builder.run();
  return std::move(builder.module);
}

} // namespace pto
