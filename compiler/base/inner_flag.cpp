#include "base/inner_flag.h"

#include <algorithm>

namespace pto {

namespace {
#define FLAG(From, To) {Pipe::From, Pipe::To},
#define PAIRS(...) {__VA_ARGS__}
#define PTO_INNER_FLAGS(Enum, Who, Extra, Pairs)                                                   \
  constexpr std::pair<Pipe, Pipe> kPairsOf##Enum[] = Pairs;
#include "base/inner_flag.def"
#undef FLAG
#undef PAIRS

const InnerFlagsInfo kInnerFlags[] = {
#define PTO_INNER_FLAGS(Enum, Who, Extra, Pairs) {kPairsOf##Enum, Extra},
#include "base/inner_flag.def"
};
} // namespace

const InnerFlagsInfo &info(InnerFlags which) { return kInnerFlags[size_t(which)]; }

std::optional<InnerFlags> sessionFlags(DmaEngine engine, bool putsInside) {
  switch (engine) {
  case DmaEngine::SDMA:
    return putsInside ? InnerFlags::SdmaMove : InnerFlags::SdmaPost;
  case DmaEngine::RDMA:
    return InnerFlags::Rdma;
  case DmaEngine::URMA:
    return std::nullopt;
  }
  return std::nullopt;
}

unsigned firstFreeFlagId() {
  unsigned most = 0;
  for (const InnerFlagsInfo &row : kInnerFlags)
    most = std::max(most, row.extraIds);
  return most + 2; // Ping and pong.
}

} // namespace pto
