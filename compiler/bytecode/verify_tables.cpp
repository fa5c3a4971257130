#include "bytecode/asm_text.h"
#include "bytecode/limits.h"
#include "bytecode/verify.h"
#include "bytecode/verify_parts.h"

#include "llvm/ADT/bit.h"

namespace pto {

static llvm::Error verifySizes(const Module &module) {
  struct {
    const char *what;
    size_t size;
    uint32_t limit;
  } tables[] = {
      {"files", module.files.size(), kMaxTableRows},
      {"strings", module.strings.size(), kMaxTableRows},
      {"constants", module.constants.size(), kMaxTableRows},
      {"objects", module.objects.size(), kMaxObjects},
      {"functions", module.functions.size(), kMaxFunctions},
      {"entries", module.entries.size(), kMaxTableRows},
  };
  for (const auto &table : tables)
    if (table.size > table.limit)
      return invalid("the module has " + llvm::Twine(table.size) + " " + table.what +
                     ", the limit is " + llvm::Twine(table.limit));
  return llvm::Error::success();
}

static llvm::Error verifyTexts(llvm::ArrayRef<std::string> texts, const char *what) {
  for (size_t i = 0; i != texts.size(); ++i)
    if (!isText(texts[i]))
      return invalid(what + llvm::Twine(" ") + llvm::Twine(i) + " is not UTF-8");
  return llvm::Error::success();
}

/// Whether the bits are in the form that registers hold.
static bool isScalar(ScalarType type, ScalarBits bits) {
  return unsigned(type) < kScalarTypeCount && normalise(type, bits) == bits;
}

static llvm::Error verifyConstants(const Module &module) {
  for (size_t i = 0; i != module.constants.size(); ++i)
    if (const Constant &constant = module.constants[i]; !isScalar(constant.type, constant.bits))
      return invalid("constant " + llvm::Twine(i) + " is no value of a scalar type");
  return llvm::Error::success();
}

static bool isInRange(const Extent &extent) {
  auto fits = [](int64_t value) { return -kMaxExtent <= value && value <= kMaxExtent; };
  return fits(extent.perRank) && fits(extent.fixed);
}

static llvm::Error verifyObject(const Module &module, const Object &object) {
  auto refuse = [&](const llvm::Twine &problem) {
    return invalid("object " + nameText(object.name) + ": " + problem);
  };
  if (!isText(object.name))
    return refuse("its name is not UTF-8");
  if (unsigned(object.type) >= kScalarTypeCount)
    return refuse("scalar type " + llvm::Twine(unsigned(object.type)) + " does not exist");
  if (object.isSignal && object.type != ScalarType::I32)
    return refuse("signal words are i32, not " + info(object.type).name);
  if (!llvm::has_single_bit(object.align) || object.align > kMaxAlign)
    return refuse("its alignment must be a power of two up to " + llvm::Twine(kMaxAlign) +
                  ", not " + llvm::Twine(object.align));
  if (object.align < info(object.type).bytes())
    return refuse("its alignment is smaller than an element");
  if (object.shape.size() > kMaxDimensions)
    return refuse("it has " + llvm::Twine(object.shape.size()) + " dimensions, the limit is " +
                  llvm::Twine(kMaxDimensions));
  for (const Extent &extent : object.shape)
    if (!isInRange(extent))
      return refuse("extent " + extentText(extent) + " is out of range");
  if (object.hasInit && !isScalar(object.type, object.init))
    return refuse("its initial value is no " + info(object.type).name);
  if (!isPlace(module, object.place))
    return refuse("its place is in no file");
  return llvm::Error::success();
}

static llvm::Error verifySignature(const Function &function) {
  CallShape shape = callShape(function);
  if (function.resultIsView && !function.hasResult)
    return invalid(function, "it returns a view but has no result");
  if (shape.scalars + shape.views > kMaxParameters)
    return invalid(function, "it has more parameters than " + llvm::Twine(kMaxParameters));
  if (shape.scalars > function.registers.size())
    return invalid(function, "result and parameters need " + llvm::Twine(shape.scalars) +
                                 " registers, it has " + llvm::Twine(function.registers.size()));
  if (shape.views > function.viewCount)
    return invalid(function, "result and parameters need " + llvm::Twine(shape.views) +
                                 " views, it has " + llvm::Twine(function.viewCount));
  if (function.kind == FunctionKind::Function)
    return llvm::Error::success();
  if (function.hasResult)
    return invalid(function, "a kernel or host has no result");
  // Handles belong to one core, so nothing can hand one over at a launch.
  for (uint32_t i = 0; i != function.scalarParams; ++i)
    if (kHandleTypes.contains(function.registers[i]))
      return invalid(function, "a parameter of a kernel or host cannot be a handle");
  return llvm::Error::success();
}

static llvm::Error verifyHead(const Module &module, const Function &function) {
  if (!isText(function.name))
    return invalid(function, "its name is not UTF-8");
  if (function.kind > FunctionKind::Host)
    return invalid(function, "it is of no kind");
  if (function.registers.size() > kMaxRegisters || function.viewCount > kMaxRegisters)
    return invalid(function, "it has more registers than " + llvm::Twine(kMaxRegisters));
  for (RegisterType type : function.registers)
    if (unsigned(type) >= kRegisterTypeCount)
      return invalid(function, "register type " + llvm::Twine(unsigned(type)) + " does not exist");
  if (function.ubBytes > kMaxUbBytes)
    return invalid(function, "it needs " + llvm::Twine(function.ubBytes) +
                                 " bytes of UB, the limit is " + llvm::Twine(kMaxUbBytes));
  if (function.code.empty())
    return invalid(function, "it has no code");
  if (function.code.size() > kMaxCode)
    return invalid(function, "it has more instructions than " + llvm::Twine(kMaxCode));
  if (function.places.size() != function.code.size())
    return invalid(function, "it has " + llvm::Twine(function.places.size()) + " places for " +
                                 llvm::Twine(function.code.size()) + " instructions");
  if (!isPlace(module, function.place))
    return invalid(function, "its place is in no file");
  return verifySignature(function);
}

llvm::Error verifyTables(const Module &module) {
  if (llvm::Error error = verifySizes(module))
    return error;
  if (llvm::Error error = verifyTexts(module.files, "file"))
    return error;
  if (llvm::Error error = verifyTexts(module.strings, "string"))
    return error;
  if (llvm::Error error = verifyConstants(module))
    return error;
  for (const Object &object : module.objects)
    if (llvm::Error error = verifyObject(module, object))
      return error;
  for (const Function &function : module.functions)
    if (llvm::Error error = verifyHead(module, function))
      return error;
  return llvm::Error::success();
}

} // namespace pto
