// Which element types each target takes for what, as `pto targets` shows it.

#include "pages/pages.h"

#include "target/types.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

/// What one row of the text asks of a platform.
using TypesOf = llvm::function_ref<ElementTypes(Platform)>;

/// A line for each group of neighbouring platforms with one answer.
static void writeGroups(llvm::raw_ostream &out, llvm::StringRef title, TypesOf typesOf) {
  for (size_t i = 0; i != platforms().size();) {
    std::string types = typesOf(Platform(i)).text(), names;
    for (; i != platforms().size() && typesOf(Platform(i)).text() == types; ++i)
      names += (names.empty() ? "" : ", ") + platforms()[i].name.str();
    out << llvm::left_justify(title, 18) << llvm::left_justify(names, 27) << types << '\n';
    title = "";
  }
}

std::string typesText() {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "element types\n";
  for (size_t i = 0; i != typeUses().size(); ++i)
    writeGroups(out, typeUses()[i].name, [&](Platform p) { return typesFor(p, TypeUse(i)); });
  out << "\ntcvt from\n";
  for (unsigned i = 0; i != kScalarTypeCount; ++i) {
    auto typesOf = [&](Platform p) { return convertsTo(p, ScalarType(i)); };
    bool isSource = false;
    for (size_t p = 0; p != platforms().size(); ++p)
      isSource |= !typesOf(Platform(p)).empty();
    if (isSource)
      writeGroups(out, info(ScalarType(i)).name, typesOf);
  }
  return text;
}

llvm::json::Object typesJson(Platform platform) {
  llvm::json::Object uses, conversions;
  for (size_t i = 0; i != typeUses().size(); ++i)
    uses[typeUses()[i].name] = typesFor(platform, TypeUse(i)).text();
  for (unsigned i = 0; i != kScalarTypeCount; ++i)
    if (ElementTypes types = convertsTo(platform, ScalarType(i)); !types.empty())
      conversions[info(ScalarType(i)).name] = types.text();
  return llvm::json::Object{{"uses", std::move(uses)}, {"tcvt_from", std::move(conversions)}};
}

} // namespace pto
