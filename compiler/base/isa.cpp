#include "base/isa.h"

#include "base/check.h"

namespace pto {

namespace {
#define VALUE(Name, Number) {llvm::StringLiteral(#Name), Number},
#define PTO_ENUM(Type, Meaning, Values) constexpr IsaValue k##Type##Rows[] = {Values};
#include "base/isa.def"
#undef VALUE
} // namespace

static const IsaEnumInfo kEnums[] = {
#define PTO_ENUM(Type, Meaning, Values)                                                            \
  {llvm::StringLiteral(#Type), llvm::StringLiteral(Meaning), llvm::ArrayRef(k##Type##Rows)},
#include "base/isa.def"
};

llvm::ArrayRef<IsaEnumInfo> isaEnums() { return kEnums; }

const IsaEnumInfo &info(IsaEnum which) {
  PTO_CHECK(size_t(which) < std::size(kEnums), "enumeration out of its table");
  return kEnums[size_t(which)];
}

std::optional<uint8_t> IsaEnumInfo::number(llvm::StringRef wanted) const {
  for (const IsaValue &value : values)
    if (value.name == wanted)
      return value.number;
  return std::nullopt;
}

llvm::StringRef IsaEnumInfo::valueName(uint64_t wanted) const {
  for (const IsaValue &value : values)
    if (value.number == wanted)
      return value.name;
  return "?";
}

bool holds(WaitCmp cmp, int32_t held, int32_t wanted) {
  switch (cmp) {
  case WaitCmp::EQ:
    return held == wanted;
  case WaitCmp::NE:
    return held != wanted;
  case WaitCmp::GT:
    return held > wanted;
  case WaitCmp::GE:
    return held >= wanted;
  case WaitCmp::LT:
    return held < wanted;
  case WaitCmp::LE:
    return held <= wanted;
  }
  PTO_UNREACHABLE("wait comparison");
}

} // namespace pto
