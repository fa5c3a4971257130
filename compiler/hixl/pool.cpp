#include "hixl/pool.h"

#include "hixl/json_text.h"
#include "hixl/option.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

namespace pto {

std::optional<HixlDecimal> HixlDecimal::parse(llvm::StringRef text) {
  static constexpr size_t kMostBytes = 40;
  static constexpr int kMostPower = 99;
  HixlDecimal decimal;
  if (text.size() > kMostBytes)
    return std::nullopt;
  decimal.isNegative_ = text.consume_front("-");
  llvm::StringRef whole = text.take_while(llvm::isDigit);
  text = text.drop_front(whole.size());
  llvm::StringRef fraction;
  if (text.consume_front("."))
    fraction = text.take_while(llvm::isDigit);
  text = text.drop_front(fraction.size());
  int power = 0;
  if (text.consume_front("e") || text.consume_front("E")) {
    text.consume_front("+");
    if (text.consumeInteger(10, power) || std::abs(power) > kMostPower)
      return std::nullopt;
  }
  if (!text.empty() || (whole.empty() && fraction.empty()))
    return std::nullopt;
  std::string digits = (whole + fraction).str();
  size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  decimal.point_ = int(whole.size()) - int(zeros) + power;
  decimal.digits_ = llvm::StringRef(digits).drop_front(zeros).rtrim('0').str();
  return decimal;
}

bool HixlDecimal::isPart() const { return !isNegative_ && !digits_.empty() && point_ <= 0; }

int64_t HixlDecimal::floorOf(int64_t count) const {
  // From the last digit to the first: what is carried out of the first one is the whole part.
  int64_t carry = 0;
  for (char digit : llvm::reverse(digits_))
    carry = (count * (digit - '0') + carry) / 10;
  for (int i = point_; i < 0 && carry != 0; ++i)
    carry /= 10;
  return carry;
}

double HixlDecimal::inDoubles() const {
  double value = 0;
  std::string text = "0." + digits_ + "e" + std::to_string(point_);
  (void)llvm::StringRef(text).getAsDouble(value);
  return isNegative_ ? -value : value;
}

int64_t waterlineLinks(int64_t max, const HixlDecimal &part) {
  return std::max<int64_t>(1, part.floorOf(max));
}

static std::optional<int64_t> readMax(llvm::StringRef text, HixlFaults &faults) {
  const HixlResourceInfo &row = info(HixlResource::MaxChannel);
  std::optional<int64_t> max = plainInteger(text);
  if (max && *max >= row.least && *max <= row.most)
    return max;
  llvm::StringLiteral account = max ? row.account : llvm::StringLiteral("HX-OPT-13");
  faults.error(account, row.key,
               "`" + row.key + "` is " + quoted(text) + ", which is no number of links from " +
                   llvm::Twine(row.least) + " to " + llvm::Twine(row.most) + ".",
               "Write a number from " + llvm::Twine(row.least) + " to " + llvm::Twine(row.most) +
                   "; without the key it is " + row.fallback + ".");
  return std::nullopt;
}

static std::optional<HixlDecimal>
readWaterline(HixlResource which, const std::optional<std::string> &text, HixlFaults &faults) {
  if (!text)
    return std::nullopt;
  std::optional<HixlDecimal> part = HixlDecimal::parse(*text);
  if (part && part->isPart())
    return part;
  llvm::StringRef key = info(which).key;
  faults.error("HX-OPT-18", key,
               "`" + key + "` is " + quoted(*text) +
                   ", which is no decimal between 0 and 1; both ends are excluded.",
               "Write a part of the pool, such as \"0.3\".");
  return std::nullopt;
}

/// One waterline alone, or a size without any.
static void sayIncomplete(const HixlPoolText &text, HixlFaults &faults) {
  llvm::StringRef maxKey = info(HixlResource::MaxChannel).key;
  llvm::StringRef highKey = info(HixlResource::HighWaterline).key;
  llvm::StringRef lowKey = info(HixlResource::LowWaterline).key;
  if (text.max)
    faults.error("HX-OPT-19", maxKey,
                 "`" + maxKey +
                     "` is given without both waterlines, so there is no pool whose size "
                     "it could be.",
                 "Give `" + highKey + "` and `" + lowKey + "` too, or leave `" + maxKey + "` out.");
  else if (text.high || text.low)
    faults.warn("HX-OPT-18", text.high ? highKey : lowKey,
                "`" + (text.high ? highKey : lowKey) +
                    "` stands alone. The channel pool needs both "
                    "waterlines and stays off without a word.",
                "Give `" + (text.high ? lowKey : highKey) + "` too, or neither.");
}

/// The documents count in decimals, the library in doubles: where these disagree, say so.
static void sayRounding(HixlResource which, int64_t max, const HixlDecimal &part,
                        HixlFaults &faults) {
  int64_t exact = waterlineLinks(max, part);
  int64_t inDoubles = std::max<int64_t>(1, int64_t(double(max) * part.inDoubles()));
  llvm::StringRef key = info(which).key;
  if (exact != inDoubles)
    faults.warn("HX-OPT-20", key,
                "`" + key + "` of " + llvm::Twine(max) + " links is " + llvm::Twine(exact) +
                    " by the documents, but " + llvm::Twine(inDoubles) +
                    " where the library multiplies binary fractions.",
                "Choose a waterline that lies between two whole numbers of links.");
}

std::optional<HixlPool> readHixlPool(const HixlPoolText &text, HixlFaults &faults) {
  std::optional<int64_t> max = info(HixlResource::MaxChannel).most;
  size_t before = faults.rows().size();
  if (text.max)
    max = readMax(*text.max, faults);
  std::optional<HixlDecimal> high = readWaterline(HixlResource::HighWaterline, text.high, faults);
  std::optional<HixlDecimal> low = readWaterline(HixlResource::LowWaterline, text.low, faults);
  if (faults.rows().size() != before || !max)
    return std::nullopt;
  if (!high || !low) {
    sayIncomplete(text, faults);
    return std::nullopt;
  }
  HixlPool pool{*max, waterlineLinks(*max, *high), waterlineLinks(*max, *low)};
  if (pool.high - pool.low < 1) {
    faults.error("HX-OPT-20", info(HixlResource::HighWaterline).key,
                 "Of " + llvm::Twine(pool.max) + " links, the high waterline " +
                     text.high.value_or("") + " is " + llvm::Twine(pool.high) +
                     " and the low one " + text.low.value_or("") + " is " + llvm::Twine(pool.low) +
                     ". An eviction would have nothing to do: the high one must be at least one "
                     "link above the low one.",
                 "Move the waterlines apart, or take a larger pool.");
    return std::nullopt;
  }
  sayRounding(HixlResource::HighWaterline, pool.max, *high, faults);
  sayRounding(HixlResource::LowWaterline, pool.max, *low, faults);
  return pool;
}

} // namespace pto
