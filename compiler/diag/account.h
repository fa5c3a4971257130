//===- account.h - where each rule of the references is held ----*- C++ -*-===//
#ifndef PTO_DIAG_ACCOUNT_H
#define PTO_DIAG_ACCOUNT_H

#include "diag/rule.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace pto {

/// Who keeps a rule; account.def, account_shmem.def and account_hixl.def say what each means.
enum class AccountPlace : uint8_t { Rule, Type, Audit, Host, Lint, Open };

/// Ids of the ISA end in three digits, "MEM-001", those of SHMEM in two, "MEM-01", those of HIXL
/// are like "HX-MEM-01".
enum class RuleSet : uint8_t { Isa, Shmem, Hixl };

/// One row of account.def, account_shmem.def or account_hixl.def.
struct AccountRow {
  RuleSet set;
  llvm::StringLiteral id; ///< As the sources of rules name it.
  AccountPlace place;
  llvm::StringLiteral slugs; ///< Not of the ISA: the rules that decide it, "deadlock, data-race".
  llvm::StringLiteral note;
  llvm::StringLiteral test; ///< May be empty; account_shmem.def says where its paths begin.

  [[nodiscard]] bool isDecided() const {
    return place == AccountPlace::Rule || place == AccountPlace::Lint;
  }
};

[[nodiscard]] llvm::ArrayRef<AccountRow> account();
[[nodiscard]] llvm::ArrayRef<AccountRow> shmemAccount();
[[nodiscard]] llvm::ArrayRef<AccountRow> hixlAccount();

/// The rules of the ISA or of SHMEM that a source text names: "ISA TYPE-001, TYPE-002; S0" has two
/// of the ISA. Sources that begin with HIXL name none of them.
[[nodiscard]] llvm::SmallVector<llvm::StringRef> idsNamedIn(llvm::StringRef source, RuleSet set);
/// The names in a list as `slugs` has it.
[[nodiscard]] llvm::SmallVector<llvm::StringRef> namesIn(llvm::StringRef list);
/// The rules of pto that decide a row: those that it names; of the ISA those whose sources name it,
/// in the order of their table.
[[nodiscard]] llvm::SmallVector<Rule> rulesOf(const AccountRow &row);

/// Where a row is held, as the account says it: "check", "plant", both, "type", "audit", "host" or
/// "lint"; "open" if it is not, or a row of rules that no rule names yet.
[[nodiscard]] std::string placeText(const AccountRow &row);

} // namespace pto

#endif
