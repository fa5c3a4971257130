#include "diag/account.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace pto {

static constexpr AccountRow kAccount[] = {
#define PTO_ACCOUNT(Id, Where, Note, Test)                                                         \
  {RuleSet::Isa,                                                                                   \
   llvm::StringLiteral(Id),                                                                        \
   AccountPlace::Where,                                                                            \
   llvm::StringLiteral(""),                                                                        \
   llvm::StringLiteral(Note),                                                                      \
   llvm::StringLiteral(Test)},
#include "diag/account.def"
};

static constexpr AccountRow kShmemAccount[] = {
#define PTO_SHMEM_ACCOUNT(Id, Where, Slugs, Note, Test)                                            \
  {RuleSet::Shmem,                                                                                 \
   llvm::StringLiteral(Id),                                                                        \
   AccountPlace::Where,                                                                            \
   llvm::StringLiteral(Slugs),                                                                     \
   llvm::StringLiteral(Note),                                                                      \
   llvm::StringLiteral(Test)},
#include "diag/account_shmem.def"
};

static constexpr AccountRow kHixlAccount[] = {
#define PTO_HIXL_ACCOUNT(Id, Where, Slugs, Note, Test)                                             \
  {RuleSet::Hixl,                                                                                  \
   llvm::StringLiteral(Id),                                                                        \
   AccountPlace::Where,                                                                            \
   llvm::StringLiteral(Slugs),                                                                     \
   llvm::StringLiteral(Note),                                                                      \
   llvm::StringLiteral(Test)},
#include "diag/account_hixl.def"
};

llvm::ArrayRef<AccountRow> account() { return kAccount; }
llvm::ArrayRef<AccountRow> shmemAccount() { return kShmemAccount; }
llvm::ArrayRef<AccountRow> hixlAccount() { return kHixlAccount; }

/// Whether a word is `FAMILY-001`, with as many digits.
static bool isId(llvm::StringRef word, size_t digits) {
  auto [family, number] = word.split('-');
  return family.size() >= 2 && llvm::all_of(family, [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         number.size() == digits && llvm::all_of(number, llvm::isDigit);
}

llvm::SmallVector<llvm::StringRef> idsNamedIn(llvm::StringRef source, RuleSet set) {
  llvm::SmallVector<llvm::StringRef> ids;
  if (source.starts_with("HIXL "))
    return ids;
  size_t digits = set == RuleSet::Isa ? 3 : 2;
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; };
  while (!source.empty()) {
    llvm::StringRef word = source.take_while(isPart);
    if (isId(word, digits))
      ids.push_back(word);
    source = source.drop_front(std::max<size_t>(word.size(), 1));
  }
  return ids;
}

llvm::SmallVector<llvm::StringRef> namesIn(llvm::StringRef list) {
  llvm::SmallVector<llvm::StringRef> names;
  list.split(names, ", ", -1, /*KeepEmpty=*/false);
  return names;
}

llvm::SmallVector<Rule> rulesOf(const AccountRow &row) {
  llvm::SmallVector<Rule> deciding;
  for (llvm::StringRef slug : namesIn(row.slugs))
    if (std::optional<Rule> rule = ruleBySlug(slug))
      deciding.push_back(*rule);
  if (row.set == RuleSet::Isa && row.isDecided())
    for (size_t i = 0; i != rules().size(); ++i)
      if (llvm::is_contained(idsNamedIn(rules()[i].source, row.set), row.id))
        deciding.push_back(Rule(i));
  return deciding;
}

std::string placeText(const AccountRow &row) {
  static constexpr llvm::StringLiteral kNames[] = {"open", "type", "audit", "host", "lint", "open"};
  if (row.place != AccountPlace::Rule)
    return kNames[size_t(row.place)].str();
  bool isChecked = false, isPlanted = false;
  for (Rule rule : rulesOf(row))
    (info(rule).phase == RulePhase::Run ? isPlanted : isChecked) = true;
  if (isChecked && isPlanted)
    return "check, plant";
  return isChecked ? "check" : isPlanted ? "plant" : kNames[0].str();
}

} // namespace pto
