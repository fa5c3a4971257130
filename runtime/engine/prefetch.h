//===- prefetch.h - L2 as the engines see it --------------------*- C++ -*-===//
#ifndef PTO_ENGINE_PREFETCH_H
#define PTO_ENGINE_PREFETCH_H

#include "engine/state.h"

namespace pto {

[[nodiscard]] Completion postPrefetch(EngineState &state, uint32_t core, const Request &request,
                                      int64_t nowPs);
/// What a prefetch names arrives between the times of its transfer.
void bringIn(EngineState &state, const Transfer &transfer);
/// By how much a load that begins now is faster than one of bytes that were never prefetched.
[[nodiscard]] int64_t gainOfL2(EngineState &state, const CoreState &core, const ElementCopy &copy,
                               int64_t nowPs);
/// Somebody wrote a rank's GM.
void dropFromL2(EngineState &state, int32_t rank, ByteRange range, const Writer &writer,
                int64_t nowPs);

} // namespace pto

#endif
