// Which tile some bytes of UB are: the program places its tiles before it runs, so the module
// tells.

#include "audit/parts.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::audit_detail {

namespace {
/// A function on the way from the kernel to an access, and where its tiles begin.
struct Level {
  uint32_t function = 0;
  int64_t base = 0;
};

/// Walks the calls of a kernel, and looks at every place that an access may stand at.
class TileSearch {
public:
  TileSearch(const Module &module, const SiteInfo &access, ByteRange range)
      : module_(module), access_(access), range_(range) {}
  void enter(uint32_t function, int64_t base);
  [[nodiscard]] llvm::ArrayRef<TilePlace> found() const { return found_; }

private:
  void look(const Level &level);
  const Module &module_;
  const SiteInfo &access_;
  ByteRange range_;
  std::vector<Level> levels_;
  std::set<std::pair<uint32_t, int64_t>> seen_;
  llvm::SmallVector<TilePlace, 1> found_;
};
} // namespace

/// The tiles of one function that hold all of the bytes.
void TileSearch::look(const Level &level) {
  const Function &function = module_.functions[level.function];
  for (size_t pc = 0; pc != function.code.size(); ++pc) {
    const Instruction &code = function.code[pc];
    if (code.opcode != Opcode::Tile || pc >= function.places.size())
      continue;
    int64_t begin = code.operands[3] + (code.operands[4] != 0 ? 0 : level.base);
    int64_t size = tileBytes(makeTile(code.type, code.operands[1], code.operands[2], begin));
    bool holds = begin <= range_.begin && range_.end <= begin + size;
    const CodePlace &place = function.places[pc];
    if (holds && llvm::none_of(found_, [&](const TilePlace &tile) { return tile.place == place; }))
      found_.push_back({place, begin, size});
  }
}

void TileSearch::enter(uint32_t index, int64_t base) {
  if (!seen_.insert({index, base}).second)
    return;
  levels_.push_back({index, base});
  const Function &function = module_.functions[index];
  // Frames lie behind each other, each a whole number of aligned blocks long: as a row of a tile.
  int64_t next = base + tileBytes(makeTile(ScalarType::U8, 1, function.ubBytes, 0));
  for (size_t pc = 0; pc != function.code.size(); ++pc) {
    if (function.code[pc].opcode == Opcode::Call)
      enter(function.code[pc].operands[0], next);
    if (function.code[pc].opcode == access_.opcode && pc < function.places.size() &&
        function.places[pc] == access_.place)
      for (const Level &level : llvm::reverse(levels_))
        look(level);
  }
  levels_.pop_back();
}

std::optional<TilePlace> tileOf(const State &state, const Access &access, ByteRange range) {
  auto core = state.cores.find(access.core);
  if (core == state.cores.end())
    return std::nullopt;
  TileSearch search(state.context.module, state.sites[access.site], range);
  search.enter(state.launches.at(core->second.launch).kernel, 0);
  // Tiles that share their bytes, or a function with several callers: it could be either.
  if (search.found().size() != 1)
    return std::nullopt;
  return search.found().front();
}

} // namespace pto::audit_detail
