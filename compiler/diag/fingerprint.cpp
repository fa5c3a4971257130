#include "diag/fingerprint.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace pto {

/// The text without `:12:3` and `:12`, as places end.
static std::string withoutPositions(llvm::StringRef text) {
  std::string out;
  while (!text.empty()) {
    llvm::StringRef digits = text.drop_front().take_while(llvm::isDigit);
    if (text.front() == ':' && !digits.empty()) {
      text = text.drop_front(1 + digits.size());
      continue;
    }
    out += text.front();
    text = text.drop_front();
  }
  return out;
}

std::string fingerprint(const Sources &sources, const Finding &finding) {
  const Place &place = finding.sites.front().place;
  FileId file = sources.find(place.file);
  std::string key = info(finding.rule).slug.str();
  key += '\0';
  if (file != FileId::None)
    key += sources.lineText(file, place.line).trim().str();
  key += '\0';
  key += withoutPositions(finding.message);
  std::string digits = llvm::utohexstr(llvm::xxh3_64bits(key), /*LowerCase=*/true);
  return std::string(16 - digits.size(), '0') + digits;
}

} // namespace pto
