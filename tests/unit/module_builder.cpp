#include "unit/module_builder.h"

namespace pto::testing {

Function &Code::function() { return builder_.module.functions[index_]; }

uint32_t Code::op(Opcode opcode, std::initializer_list<uint32_t> operands, ScalarType type) {
  Instruction instruction{opcode, type, {}};
  std::copy(operands.begin(), operands.end(), instruction.operands);
  function().code.push_back(instruction);
  function().places.push_back({0, ++builder_.line, 3, 1});
  return here() - 1;
}

uint32_t Code::number(double value, ScalarType type) {
  builder_.module.constants.push_back({type, fromDouble(type, value)});
  uint32_t d = reg(type);
  op(Opcode::Const, {d, uint32_t(builder_.module.constants.size() - 1)}, type);
  return d;
}

uint32_t Code::session(DmaEngine engine, uint32_t blockBytes, uint32_t queues, uint32_t group) {
  uint32_t scratch = tile(U8, 1, 256);
  uint32_t id = number(0), s = reg(RegisterType::Session);
  op(Opcode::Session, {s, scratch, uint32_t(engine), id, blockBytes, kNoOperand, queues, group});
  return s;
}

void Code::print(const std::string &text, uint32_t value, ScalarType type) {
  op(Opcode::FormatArg, {value}, type);
  op(Opcode::Print, {builder_.text(text + " {}")});
}

uint32_t Code::binary(Opcode opcode, uint32_t a, uint32_t b, ScalarType type) {
  uint32_t d = reg(type);
  op(opcode, {d, a, b}, type);
  return d;
}

uint32_t Code::neighbour(int by) {
  return binary(Opcode::Rem, binary(Opcode::Add, rank(), number(by)), into(I32, Opcode::Ranks));
}

uint32_t Code::object(uint32_t object) {
  uint32_t v = view();
  op(Opcode::ObjectView, {v, object});
  return v;
}

uint32_t Code::peer(uint32_t of, uint32_t rank) {
  uint32_t v = view();
  op(Opcode::Peer, {v, of, rank});
  return v;
}

uint32_t Code::element(uint32_t of, uint32_t at) {
  uint32_t v = view();
  op(Opcode::Index, {v, of, 0, at});
  return v;
}

uint32_t Code::tile(ScalarType type, uint32_t rows, uint32_t cols, uint32_t offset) {
  uint32_t v = view();
  op(Opcode::Tile, {v, rows, cols, offset, 1}, type);
  return v;
}

uint32_t Code::putNotify(uint32_t dst, uint32_t src, uint32_t sig, int value, NotifyOp how,
                         uint32_t session) {
  uint32_t v = number(value);
  return posted(Opcode::TputAsyncNotify, {dst, src, sig, v, uint32_t(how), session});
}

uint32_t Code::wait(uint32_t event) {
  uint32_t ok = reg(Bool);
  op(Opcode::Wait, {ok, event});
  return ok;
}

void Code::notify(uint32_t sig, int value, NotifyOp how) {
  uint32_t v = number(value);
  op(Opcode::Tnotify, {sig, v, uint32_t(how)});
}

void Code::twait(uint32_t sig, int value, WaitCmp cmp, uint32_t from) {
  uint32_t v = number(value);
  op(Opcode::Twait, {sig, v, uint32_t(cmp), from});
}

uint32_t Code::load(uint32_t element, ScalarType type) {
  uint32_t d = reg(type);
  op(Opcode::Load, {d, element}, type);
  return d;
}

uint32_t Code::into(ScalarType type, Opcode opcode) {
  uint32_t d = reg(type);
  op(opcode, {d});
  return d;
}

uint32_t Code::binaryCompare(uint32_t a, uint32_t b) {
  uint32_t less = reg(Bool);
  op(Opcode::Less, {less, a, b});
  return less;
}

uint32_t Code::posted(Opcode opcode, std::vector<uint32_t> rest) {
  uint32_t event = reg(RegisterType::Event);
  rest.insert(rest.begin(), event);
  uint32_t at = op(opcode);
  std::copy(rest.begin(), rest.end(), function().code[at].operands);
  return event;
}

uint32_t Builder::window(const std::string &name, ScalarType type,
                         llvm::SmallVector<Extent, 2> shape, bool isSignal) {
  Object object;
  object.name = name;
  object.type = type;
  object.isSignal = isSignal;
  object.align = isSignal ? 4 : 32;
  object.shape = std::move(shape);
  module.objects.push_back(std::move(object));
  return uint32_t(module.objects.size() - 1);
}

Code Builder::function(const std::string &name, FunctionKind kind) {
  Function function;
  function.name = name;
  function.kind = kind;
  module.functions.push_back(std::move(function));
  return Code(*this, uint32_t(module.functions.size() - 1));
}

Code Builder::host() {
  Code code = function("main", FunctionKind::Host);
  Entry entry;
  entry.name = "main";
  entry.function = code.index();
  module.entries.push_back(entry);
  return code;
}

uint32_t Builder::text(const std::string &text) {
  module.strings.push_back(text);
  return uint32_t(module.strings.size() - 1);
}

} // namespace pto::testing
