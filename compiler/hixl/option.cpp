#include "hixl/option.h"

#include "base/check.h"
#include "base/list_text.h"

#include "llvm/ADT/SmallVector.h"

namespace pto {

namespace {
using enum HixlEngine;
#define BY(...) HixlEngines(__VA_ARGS__)
#define READ(...) HixlEngines(__VA_ARGS__)

constexpr HixlOptionInfo kOptions[] = {
#define PTO_HIXL_OPTION(Enum, Key, Legacy, By, Type, Least, Most, Default, Effect, Source)         \
  {llvm::StringLiteral(Key),                                                                       \
   llvm::StringLiteral(Legacy),                                                                    \
   By,                                                                                             \
   HixlValue::Type,                                                                                \
   Least,                                                                                          \
   Most,                                                                                           \
   llvm::StringLiteral(Default),                                                                   \
   llvm::StringLiteral(Effect),                                                                    \
   llvm::StringLiteral(Source)},
#include "hixl/option.def"
};

constexpr HixlResourceInfo kResources[] = {
#define PTO_HIXL_RESOURCE(Enum, Key, Read, By, Type, Least, Most, Default, Account, Effect,        \
                          Source)                                                                  \
  {llvm::StringLiteral(Key),                                                                       \
   Read,                                                                                           \
   By,                                                                                             \
   HixlValue::Type,                                                                                \
   Least,                                                                                          \
   Most,                                                                                           \
   llvm::StringLiteral(Default),                                                                   \
   llvm::StringLiteral(Account),                                                                   \
   llvm::StringLiteral(Effect),                                                                    \
   llvm::StringLiteral(Source)},
#include "hixl/option.def"
};

constexpr HixlVariableInfo kVariables[] = {
#define PTO_HIXL_VARIABLE(Enum, Name, By, Least, Most, Default, Effect, Source)                    \
  {llvm::StringLiteral(Name),                                                                      \
   By,                                                                                             \
   Least,                                                                                          \
   Most,                                                                                           \
   llvm::StringLiteral(Default),                                                                   \
   llvm::StringLiteral(Effect),                                                                    \
   llvm::StringLiteral(Source)},
#include "hixl/option.def"
};
#undef BY
#undef READ
} // namespace

llvm::ArrayRef<HixlOptionInfo> hixlOptions() { return kOptions; }
llvm::ArrayRef<HixlResourceInfo> hixlResources() { return kResources; }
llvm::ArrayRef<HixlVariableInfo> hixlVariables() { return kVariables; }

const HixlOptionInfo &info(HixlOption option) {
  PTO_CHECK(size_t(option) < std::size(kOptions), "option out of its table");
  return kOptions[size_t(option)];
}
const HixlResourceInfo &info(HixlResource resource) {
  PTO_CHECK(size_t(resource) < std::size(kResources), "resource out of its table");
  return kResources[size_t(resource)];
}
const HixlVariableInfo &info(HixlVariable variable) {
  PTO_CHECK(size_t(variable) < std::size(kVariables), "variable out of its table");
  return kVariables[size_t(variable)];
}

int64_t fallbackNumber(llvm::StringRef fallback) {
  int64_t number = 0;
  if (fallback == "true")
    return 1;
  return fallback.getAsInteger(10, number) ? 0 : number;
}

std::string textOf(HixlEngines engines) {
  llvm::SmallVector<llvm::StringRef, 3> letters;
  for (size_t i = 0; i != hixlEngines().size(); ++i)
    if (engines.contains(HixlEngine(i)))
      letters.push_back(hixlEngines()[i].letter);
  return listText(letters);
}

} // namespace pto
