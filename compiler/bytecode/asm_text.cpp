#include "bytecode/asm_text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace pto {

std::string quoteText(llvm::StringRef text) {
  bool isUtf8 = llvm::json::isUTF8(text);
  std::string quoted = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      (quoted += '\\') += char(c);
    else if (c == '\n')
      quoted += "\\n";
    else if (c < 0x20 || c == 0x7f || (c >= 0x80 && !isUtf8))
      quoted += {'\\', 'x', llvm::hexdigit(c >> 4, true), llvm::hexdigit(c & 15, true)};
    else
      quoted += char(c);
  }
  return quoted += '"';
}

std::string quoteText(llvm::StringRef text, size_t width) {
  if (text.size() <= width)
    return quoteText(text);
  auto continuesCharacter = [&](size_t at) { return (text[at] & 0xC0) == 0x80; };
  while (width != 0 && continuesCharacter(width))
    --width;
  return quoteText((text.take_front(width) + "...").str());
}

bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-'; }

std::string nameText(llvm::StringRef name) {
  bool isPlain = !name.empty() && llvm::all_of(name, isWordCharacter);
  return isPlain ? name.str() : quoteText(name);
}

std::string mnemonicText(const Instruction &instruction) {
  const OpcodeInfo &row = info(instruction.opcode);
  if (!row.isTyped || unsigned(instruction.type) >= kScalarTypeCount)
    return row.mnemonic.str();
  return (row.mnemonic + "." + info(instruction.type).name).str();
}

std::string extentText(const Extent &extent) {
  if (extent.perRank == 0)
    return std::to_string(extent.fixed);
  std::string text = extent.perRank == 1 ? "ranks" : std::to_string(extent.perRank) + "*ranks";
  if (extent.fixed != 0)
    text += (extent.fixed > 0 ? "+" : "") + std::to_string(extent.fixed);
  return text;
}

std::string scalarText(ScalarType type, ScalarBits bits) {
  std::string text = formatScalar(type, bits);
  return parseScalar(type, text) == bits ? text : "0x" + llvm::utohexstr(bits, true);
}

std::optional<ScalarBits> parseScalar(ScalarType type, llvm::StringRef text) {
  ScalarBits bits = 0;
  if (text.consume_front("0x"))
    return text.getAsInteger(16, bits) ? std::nullopt : std::optional(bits);
  double value = 0;
  int64_t negative = 0;
  switch (info(type).kind) {
  case ScalarKind::Bool:
    if (text == "true" || text == "false")
      return text == "true";
    return std::nullopt;
  case ScalarKind::Signed:
    return text.getAsInteger(10, negative) ? std::nullopt : std::optional(ScalarBits(negative));
  case ScalarKind::Unsigned:
    return text.getAsInteger(10, bits) ? std::nullopt : std::optional(bits);
  case ScalarKind::Float:
    return text.getAsDouble(value) ? std::nullopt : std::optional(fromDouble(type, value));
  }
  return std::nullopt;
}

} // namespace pto
