//===- asm.cpp - bytecode to text -------------------------------------------===//
//
// One line each for files, strings, constants, objects and entries, a block for each function:
//
//   .file 0 "put.pto"
//   .const 0 i32 1
//   .object 0 window data: f32[1024] align 32            ; 3:8+4
//
//   .kernel put_and_notify                               ; 7:8+14
//     .registers r0: i32, r1: i32
//      0  rank           r0                              ; 8:16
//      1  const.i32      r1, #0 (1)
//
// What stands in parentheses is for people only. After `;` comes the place, [file:]line:column and
// +length. The file is written only where it is not 0, and in code where it is another than on the
// line before.
//
//===----------------------------------------------------------------------===//
#include "bytecode/asm.h"

#include "bytecode/asm_text.h"
#include "bytecode/operand.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace pto {

namespace {

constexpr size_t kPlaceColumn = 52;
constexpr size_t kCommentWidth = 24;
constexpr size_t kRegistersPerLine = 8;

class Disassembler {
public:
  Disassembler(llvm::raw_ostream &out, const Module &module) : out_(out), module_(module) {}

  void printTables();
  void printFunction(const Function &function);
  void printEntry(size_t index);

private:
  void printObject(size_t index);
  void printRegisters(llvm::ArrayRef<RegisterType> registers);
  void printInstruction(size_t at, const Function &function);
  /// Ends a line with the place of what it says.
  void printPlaced(llvm::StringRef line, const CodePlace &place);
  /// The same for an object, an entry or the head of a function: their lines stand for themselves.
  void printItem(llvm::StringRef line, const CodePlace &place) {
    file_ = 0;
    printPlaced(line, place);
  }
  [[nodiscard]] std::string operandText(OperandKind kind, uint32_t number) const;
  /// What an index stands for, for people.
  [[nodiscard]] std::string comment(OperandForm form, uint32_t number) const;

  llvm::raw_ostream &out_;
  const Module &module_;
  uint32_t file_ = 0; ///< Of the place printed last.
};

void Disassembler::printPlaced(llvm::StringRef line, const CodePlace &place) {
  out_ << llvm::left_justify(line, kPlaceColumn) << " ; ";
  if (place.file != file_)
    out_ << place.file << ':';
  file_ = place.file;
  out_ << place.line << ':' << place.column;
  if (place.length != 1)
    out_ << '+' << place.length;
  out_ << '\n';
}

void Disassembler::printObject(size_t index) {
  const Object &object = module_.objects[index];
  llvm::StringRef type = object.isSignal ? "signal" : llvm::StringRef(info(object.type).name);
  std::string line =
      llvm::formatv(".object {0} {1} {2}: {3}[{4}] align {5}", index,
                    object.isLocal ? "local" : "window", nameText(object.name), type,
                    llvm::join(llvm::map_range(object.shape, extentText), ", "), object.align);
  if (object.hasInit)
    line += " init " + scalarText(object.type, object.init);
  if (object.isHost)
    line += " host";
  printItem(line, object.place);
}

void Disassembler::printTables() {
  for (size_t i = 0; i != module_.files.size(); ++i)
    out_ << ".file " << i << ' ' << quoteText(module_.files[i]) << '\n';
  for (size_t i = 0; i != module_.strings.size(); ++i)
    out_ << ".string " << i << ' ' << quoteText(module_.strings[i]) << '\n';
  for (size_t i = 0; i != module_.constants.size(); ++i)
    out_ << ".const " << i << ' ' << info(module_.constants[i].type).name << ' '
         << scalarText(module_.constants[i].type, module_.constants[i].bits) << '\n';
  for (size_t i = 0; i != module_.objects.size(); ++i)
    printObject(i);
}

void Disassembler::printRegisters(llvm::ArrayRef<RegisterType> registers) {
  for (size_t i = 0; i != registers.size(); ++i) {
    bool startsLine = i % kRegistersPerLine == 0;
    if (startsLine)
      out_ << (i == 0 ? "" : "\n") << "  .registers ";
    out_ << (startsLine ? "" : ", ") << 'r' << i << ": " << name(registers[i]);
  }
  if (!registers.empty())
    out_ << '\n';
}

std::string Disassembler::comment(OperandForm form, uint32_t number) const {
  switch (form) {
  case OperandForm::Function:
    return number < module_.functions.size() ? nameText(module_.functions[number].name) : "";
  case OperandForm::Object:
    return number < module_.objects.size() ? nameText(module_.objects[number].name) : "";
  case OperandForm::String:
    return number < module_.strings.size() ? quoteText(module_.strings[number], kCommentWidth) : "";
  case OperandForm::Constant:
    return number < module_.constants.size()
               ? scalarText(module_.constants[number].type, module_.constants[number].bits)
               : "";
  default:
    return "";
  }
}

std::string Disassembler::operandText(OperandKind kind, uint32_t number) const {
  const OperandInfo &row = info(kind);
  if (row.isOptional && number == kNoOperand)
    return "_";
  if (row.form == OperandForm::ScalarType && number < kScalarTypeCount)
    return info(ScalarType(number)).name.str();
  if (row.form == OperandForm::Enumerator)
    if (llvm::StringRef name = enumeratorName(kind, number); !name.empty())
      return name.str();
  std::string text = info(row.form).prefix.str() + std::to_string(number);
  std::string meaning = comment(row.form, number);
  return meaning.empty() ? text : text + " (" + meaning + ")";
}

void Disassembler::printInstruction(size_t at, const Function &function) {
  const Instruction &instruction = function.code[at];
  std::string line = llvm::formatv("{0,4}  {1,-14} ", at, mnemonicText(instruction));
  llvm::ListSeparator comma;
  const uint32_t *operand = instruction.operands;
  for (OperandKind kind : operandKinds(instruction.opcode))
    (line += llvm::StringRef(comma)) += operandText(kind, *operand++);
  printPlaced(line, function.places[at]);
}

void Disassembler::printFunction(const Function &function) {
  printItem("." + kFunctionKindNames[size_t(function.kind)].str() + " " + nameText(function.name),
            function.place);
  if (function.hasResult || function.resultIsView)
    out_ << "  .result " << (function.resultIsView ? "view" : "scalar") << '\n';
  if (function.scalarParams != 0 || function.viewParams != 0)
    out_ << "  .params " << function.scalarParams << " scalars, " << function.viewParams
         << " views\n";
  printRegisters(function.registers);
  if (function.viewCount != 0)
    out_ << "  .views " << function.viewCount << '\n';
  if (function.ubBytes != 0)
    out_ << "  .ub " << function.ubBytes << '\n';
  for (size_t at = 0; at != function.code.size(); ++at)
    printInstruction(at, function);
}

void Disassembler::printEntry(size_t index) {
  const Entry &entry = module_.entries[index];
  std::string line =
      llvm::formatv(".entry {0} {1} {2}: {3}", index, entry.isTest ? "test" : "main",
                    nameText(entry.name), operandText(OperandKind::func, entry.function));
  if (entry.ranks != 0)
    line += " ranks " + std::to_string(entry.ranks);
  if (entry.blocks != 0)
    line += " blocks " + std::to_string(entry.blocks);
  if (entry.hasSeed)
    line += " seed " + std::to_string(entry.seed);
  if (!entry.target.empty())
    line += " target " + quoteText(entry.target);
  if (!entry.topology.empty())
    line += " topology " + quoteText(entry.topology);
  if (!entry.transports.empty())
    line += " engines " + quoteText(entry.transports);
  if (entry.servers != 0)
    line += " servers " + std::to_string(entry.servers);
  for (const std::string &fault : entry.faults)
    line += " fault " + quoteText(fault);
  for (Rule rule : entry.expectedViolations)
    line += " expects " + info(rule).slug.str();
  printItem(line, entry.place);
}

} // namespace

void disassemble(llvm::raw_ostream &out, const Module &module) {
  Disassembler disassembler(out, module);
  disassembler.printTables();
  for (const Function &function : module.functions) {
    out << '\n';
    disassembler.printFunction(function);
  }
  if (!module.entries.empty())
    out << '\n';
  for (size_t i = 0; i != module.entries.size(); ++i)
    disassembler.printEntry(i);
}

void disassemble(llvm::raw_ostream &out, const Module &module, const Function &function) {
  Disassembler(out, module).printFunction(function);
}

} // namespace pto
