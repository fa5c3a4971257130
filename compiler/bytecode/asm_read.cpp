//===- asm_read.cpp - text to bytecode, the format of asm.cpp ---------------===//
#include "bytecode/asm.h"

#include "bytecode/asm_scanner.h"
#include "bytecode/asm_text.h"
#include "bytecode/operand.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace pto {

namespace {

constexpr uint32_t kMaxUint32 = std::numeric_limits<uint32_t>::max();

/// Reads line after line into a module. A problem is kept by the scanner, which then has no more
/// lines; whatever was read by that time is thrown away.
class Assembler {
public:
  explicit Assembler(llvm::StringRef text) : scanner_(text) {}
  [[nodiscard]] llvm::Expected<Module> run();

private:
  void readLine();
  /// Whether the line, after its `.`, begins a function; reads its head.
  bool readFunction();
  bool readFunctionAttribute();
  void readObject();
  void readEntry();
  void readResult();
  void readRegister();
  void readInstruction();
  void readMnemonic(Instruction &instruction);
  [[nodiscard]] uint32_t readOperand(OperandKind kind);
  [[nodiscard]] uint32_t uint32() { return uint32_t(scanner_.number(kMaxUint32)); }
  [[nodiscard]] CodePlace placeOfItem() {
    file_ = 0;
    return scanner_.place(file_);
  }

  AsmScanner scanner_;
  Module module_;
  Function *function_ = nullptr; ///< The last one, once there is one.
  uint32_t file_ = 0;            ///< Of the place read last.
};

void Assembler::readObject() {
  Object &object = module_.objects.emplace_back();
  object.isLocal = scanner_.accept("local");
  if (!object.isLocal)
    scanner_.expect("window");
  object.name = scanner_.name();
  scanner_.expect(":");
  object.isSignal = scanner_.accept("signal");
  if (!object.isSignal)
    object.type = scanner_.scalarType();
  scanner_.expect("[");
  while (!scanner_.failed() && !scanner_.accept("]")) {
    if (!object.shape.empty())
      scanner_.expect(",");
    object.shape.push_back(scanner_.extent());
  }
  scanner_.expect("align");
  object.align = uint32();
  object.hasInit = scanner_.accept("init");
  if (object.hasInit)
    object.init = scanner_.scalar(object.type);
  object.isHost = scanner_.accept("host");
  object.place = placeOfItem();
}

void Assembler::readEntry() {
  Entry &entry = module_.entries.emplace_back();
  entry.isTest = scanner_.accept("test");
  if (!entry.isTest)
    scanner_.expect("main");
  entry.name = scanner_.name();
  scanner_.expect(":");
  entry.function = readOperand(OperandKind::func);
  constexpr uint32_t kMaxInt32 = std::numeric_limits<int32_t>::max();
  if (scanner_.accept("ranks"))
    entry.ranks = int32_t(scanner_.number(kMaxInt32));
  if (scanner_.accept("blocks"))
    entry.blocks = int32_t(scanner_.number(kMaxInt32));
  entry.hasSeed = scanner_.accept("seed");
  if (entry.hasSeed)
    entry.seed = scanner_.number(std::numeric_limits<uint64_t>::max());
  if (scanner_.accept("target"))
    entry.target = scanner_.quoted();
  if (scanner_.accept("topology"))
    entry.topology = scanner_.quoted();
  if (scanner_.accept("engines"))
    entry.transports = scanner_.quoted();
  if (scanner_.accept("servers"))
    entry.servers = int32_t(scanner_.number(kMaxInt32));
  while (scanner_.accept("fault"))
    entry.faults.push_back(scanner_.quoted());
  while (scanner_.accept("expects")) {
    llvm::StringRef slug = scanner_.word();
    if (std::optional<Rule> rule = ruleBySlug(slug))
      entry.expectedViolations.push_back(*rule);
    else
      scanner_.fail("there is no rule '" + slug + "'");
  }
  entry.place = placeOfItem();
}

bool Assembler::readFunction() {
  for (size_t kind = 0; kind != std::size(kFunctionKindNames); ++kind) {
    if (!scanner_.accept(kFunctionKindNames[kind]))
      continue;
    function_ = &module_.functions.emplace_back();
    function_->kind = FunctionKind(kind);
    function_->name = scanner_.name();
    function_->place = placeOfItem();
    return true;
  }
  return false;
}

void Assembler::readResult() {
  function_->hasResult = true;
  function_->resultIsView = scanner_.accept("view");
  if (!function_->resultIsView)
    scanner_.expect("scalar");
}

void Assembler::readRegister() {
  scanner_.expect("r");
  scanner_.index(function_->registers.size());
  scanner_.expect(":");
  llvm::StringRef found = scanner_.word();
  for (unsigned type = 0; type != kRegisterTypeCount; ++type)
    if (name(RegisterType(type)) == found) {
      function_->registers.push_back(RegisterType(type));
      return;
    }
  scanner_.fail("there is no register type '" + found + "'");
}

bool Assembler::readFunctionAttribute() {
  if (!function_)
    return false;
  if (scanner_.accept("result")) {
    readResult();
  } else if (scanner_.accept("params")) {
    function_->scalarParams = uint32();
    scanner_.expect("scalars");
    scanner_.expect(",");
    function_->viewParams = uint32();
    scanner_.expect("views");
  } else if (scanner_.accept("registers")) {
    do
      readRegister();
    while (scanner_.accept(","));
  } else if (scanner_.accept("views")) {
    function_->viewCount = uint32();
  } else if (scanner_.accept("ub")) {
    function_->ubBytes = uint32();
  } else {
    return false;
  }
  return true;
}

uint32_t Assembler::readOperand(OperandKind kind) {
  const OperandInfo &row = info(kind);
  if (row.isOptional && scanner_.accept("_"))
    return kNoOperand;
  if (row.form == OperandForm::ScalarType)
    return uint32_t(scanner_.scalarType());
  if (row.form == OperandForm::Enumerator) {
    llvm::StringRef found = scanner_.token();
    std::optional<uint32_t> number = enumeratorNumber(kind, found);
    if (!number)
      scanner_.fail(name(kind) + " has no value '" + found + "'");
    return number.value_or(0);
  }
  if (llvm::StringRef prefix = info(row.form).prefix; !prefix.empty())
    scanner_.expect(prefix);
  return uint32();
}

void Assembler::readMnemonic(Instruction &instruction) {
  llvm::StringRef word = scanner_.word();
  auto [mnemonic, type] = word.split('.');
  std::optional<Opcode> opcode = opcodeByMnemonic(mnemonic);
  std::optional<ScalarType> scalarType = scalarTypeByName(type);
  if (!opcode || (info(*opcode).isTyped ? !scalarType : mnemonic != word)) {
    scanner_.fail("there is no instruction '" + word + "'");
    return;
  }
  instruction.opcode = *opcode;
  instruction.type = scalarType.value_or(ScalarType::I32);
}

void Assembler::readInstruction() {
  if (!function_) {
    scanner_.fail("an instruction outside a function");
    return;
  }
  scanner_.index(function_->code.size());
  Instruction instruction{Opcode::Return};
  readMnemonic(instruction);
  uint32_t *operand = instruction.operands;
  for (OperandKind kind : operandKinds(instruction.opcode)) {
    if (operand != instruction.operands)
      scanner_.expect(",");
    *operand++ = readOperand(kind);
  }
  function_->code.push_back(instruction);
  function_->places.push_back(scanner_.place(file_));
}

void Assembler::readLine() {
  if (!scanner_.accept(".")) {
    readInstruction();
  } else if (scanner_.accept("file")) {
    scanner_.index(module_.files.size());
    module_.files.push_back(scanner_.quoted());
  } else if (scanner_.accept("string")) {
    scanner_.index(module_.strings.size());
    module_.strings.push_back(scanner_.quoted());
  } else if (scanner_.accept("const")) {
    scanner_.index(module_.constants.size());
    ScalarType type = scanner_.scalarType();
    module_.constants.push_back({type, scanner_.scalar(type)});
  } else if (scanner_.accept("object")) {
    scanner_.index(module_.objects.size());
    readObject();
  } else if (scanner_.accept("entry")) {
    scanner_.index(module_.entries.size());
    readEntry();
  } else if (!readFunction() && !readFunctionAttribute()) {
    scanner_.fail("there is no line '." + scanner_.word() + "'");
  }
}

llvm::Expected<Module> Assembler::run() {
  while (scanner_.nextLine())
    readLine();
  if (llvm::Error error = scanner_.takeError())
    return error;
  return std::move(module_);
}

} // namespace

llvm::Expected<Module> assemble(llvm::StringRef text) { return Assembler(text).run(); }

} // namespace pto
