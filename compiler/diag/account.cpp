#include "diag/account.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace pto {

static constexpr AccountRow kAccount[] = {
#define PTO_ACCOUNT(Id, Where, Note, Test)                                                         \
  {llvm::StringLiteral(Id), AccountPlace::Where, llvm::StringLiteral(Note),                        \
   llvm::StringLiteral(Test)},
#include "diag/account.def"
};

llvm::ArrayRef<AccountRow> account() { return kAccount; }

/// Whether a word is `FAMILY-001`.
static bool isId(llvm::StringRef word) {
  auto [family, number] = word.split('-');
  return family.size() >= 2 && llvm::all_of(family, [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         number.size() == 3 && llvm::all_of(number, llvm::isDigit);
}

llvm::SmallVector<llvm::StringRef> idsNamedIn(llvm::StringRef source) {
  llvm::SmallVector<llvm::StringRef> ids;
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; };
  while (!source.empty()) {
    llvm::StringRef word = source.take_while(isPart);
    if (isId(word))
      ids.push_back(word);
    source = source.drop_front(std::max<size_t>(word.size(), 1));
  }
  return ids;
}

llvm::SmallVector<Rule> rulesNaming(llvm::StringRef id) {
  llvm::SmallVector<Rule> naming;
  for (size_t i = 0; i != rules().size(); ++i)
    if (llvm::is_contained(idsNamedIn(rules()[i].source), id))
      naming.push_back(Rule(i));
  return naming;
}

std::string placeText(const AccountRow &row) {
  static constexpr llvm::StringLiteral kNames[] = {"open", "type", "audit", "host"};
  if (row.place != AccountPlace::Rule)
    return kNames[size_t(row.place)].str();
  bool isChecked = false, isPlanted = false;
  for (Rule rule : rulesNaming(row.id))
    (info(rule).phase == RulePhase::Run ? isPlanted : isChecked) = true;
  if (isChecked && isPlanted)
    return "check, plant";
  return isChecked ? "check" : isPlanted ? "plant" : kNames[0].str();
}

} // namespace pto
