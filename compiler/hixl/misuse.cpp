#include "hixl/misuse.h"

namespace pto {

namespace {
struct Row {
  llvm::StringLiteral account;
  Rule rule;
};
constexpr Row kRows[] = {
#define PTO_HIXL_MISUSE(Account, RuleOf) {llvm::StringLiteral(Account), Rule::RuleOf},
#include "hixl/misuse.def"
};
constexpr Row kOptionRows[] = {
#define PTO_HIXL_OPTION_MISUSE(Account, RuleOf) {llvm::StringLiteral(Account), Rule::RuleOf},
#include "hixl/misuse.def"
};
constexpr Row kRefusedRows[] = {
#define PTO_HIXL_REFUSED_MISUSE(Account, RuleOf) {llvm::StringLiteral(Account), Rule::RuleOf},
#include "hixl/misuse.def"
};
} // namespace

Rule hixlRule(llvm::StringRef account, bool isOfOptions, bool isRefused) {
  for (const Row &row : kRefusedRows)
    if (isRefused && row.account == account)
      return row.rule;
  for (const Row &row : kOptionRows)
    if (isOfOptions && row.account == account)
      return row.rule;
  for (const Row &row : kRows)
    if (row.account == account)
      return row.rule;
  return Rule::HixlOption;
}

} // namespace pto
