//===- account.h - where each rule of the ISA is held -----------*- C++ -*-===//
#ifndef PTO_DIAG_ACCOUNT_H
#define PTO_DIAG_ACCOUNT_H

#include "diag/rule.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace pto {

/// Who keeps a rule of the ISA; account.def says what each means.
enum class AccountPlace : uint8_t { Rule, Type, Audit, Host };

/// One row of account.def.
struct AccountRow {
  llvm::StringLiteral id; ///< "TYPE-001", as the sources of rules name it.
  AccountPlace place;
  llvm::StringLiteral note;
  llvm::StringLiteral test; ///< Below tests/golden; may be empty.
};

[[nodiscard]] llvm::ArrayRef<AccountRow> account();

/// The rules of the ISA that a source text names: "ISA TYPE-001, TYPE-002; S0" has two.
[[nodiscard]] llvm::SmallVector<llvm::StringRef> idsNamedIn(llvm::StringRef source);
/// The rules of pto whose sources name a rule of the ISA, in the order of their table.
[[nodiscard]] llvm::SmallVector<Rule> rulesNaming(llvm::StringRef id);

/// Where a row is held, as the account says it: "check", "plant", both, "type", "audit" or "host";
/// "open" if it is a row of rules and no rule names it yet.
[[nodiscard]] std::string placeText(const AccountRow &row);

} // namespace pto

#endif
