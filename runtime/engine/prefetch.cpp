// Prefetches into L2: a post to SDMA that moves no bytes, and what the loads of MTE2 gain by it.
//
// A prefetch changes nothing that a program could read, so it has no order with anything: the audit
// sees neither a read nor a race in it, and nobody has to wait for it before its kernel ends.

#include "engine/prefetch.h"

#include "engine/operands.h"
#include "engine/parts.h"

#include "memory/walk.h"
#include "port/checks.h"

#include <algorithm>

namespace pto {

/// How much sooner L2 answers than GM: 150 cycles at 1.85 GHz [timing 1.1].
static constexpr int64_t kSoonerPs = 81'000;

static L2 *l2Of(EngineState &state, int32_t rank) {
  return size_t(rank) < state.l2s.size() ? state.l2s[size_t(rank)].get() : nullptr;
}

Completion postPrefetch(EngineState &state, uint32_t id, const Request &request, int64_t nowPs) {
  int32_t rank = state.cores[id]->rank;
  llvm::StringRef name = info(request.opcode).mnemonic;
  Operands ops;
  ops.prefetches = true;
  ops.src = ops.dst = request.views[0];
  ops.bytes = bytes(ops.src);
  ops.peer = rank;
  if (auto trap = checkFlat(ops.src, "src", name))
    return Completion::trapped(std::move(*trap));
  if (auto trap = checkNotEmpty(ops.src, name))
    return Completion::trapped(std::move(*trap));
  if (ops.src.rank != rank)
    return Completion::trapped(
        makeTrap<Rule::OperandNotLocal>("src", name, "on rank " + std::to_string(ops.src.rank)));
  OwnQueue own = prefetchQueue(state, id, request);
  if (own.trap)
    return Completion::trapped(std::move(*own.trap));
  return postTo(state, id, request, ops, own.session, nowPs);
}

void bringIn(EngineState &state, const Transfer &transfer) {
  auto rank = size_t(transfer.srcRank);
  if (state.l2s.size() <= rank)
    state.l2s.resize(rank + 1);
  if (!state.l2s[rank])
    state.l2s[rank] = std::make_unique<L2>(trait(state.context.target.platform, Trait::L2Bytes));
  state.l2s[rank]->fetch({transfer.srcOffset, transfer.srcOffset + transfer.bytes},
                         transfer.startPs, transfer.endPs);
}

int64_t gainOfL2(EngineState &state, const CoreState &core, const ElementCopy &copy,
                 int64_t nowPs) {
  bool loadsOwn = copy.from.space == Space::Gm && copy.from.rank == core.rank;
  L2 *l2 = loadsOwn && copy.count > 0 ? l2Of(state, core.rank) : nullptr;
  if (!l2)
    return 0;
  int64_t found = 0, size = copy.from.elementBytes();
  ElementWalk walk(copy.from, copy.fromFirst);
  bool beginsThere = l2->use({walk.offset(), walk.offset() + size}, nowPs) != 0;
  for (int64_t left = copy.count;;) {
    int64_t run = std::min(left, walk.run());
    found += l2->use({walk.offset(), walk.offset() + run * size}, nowPs);
    left -= run;
    if (left == 0)
      break;
    walk.advance(run);
  }
  return (beginsThere ? kSoonerPs : 0) + transferPs(found, cost(Cost::PipeBytesPerUs)) -
         transferPs(found, trait(state.context.target.platform, Trait::L2BytesPerUs));
}

/// The cores of a device store through its L2; engines, hosts and other devices go past it.
static bool goesThrough(const Writer &writer, int32_t rank) {
  return writer.rank == rank && writer.block >= 0 &&
         info(writer.opcode).opcodeClass != OpcodeClass::Async;
}

void dropFromL2(EngineState &state, int32_t rank, ByteRange range, const Writer &writer,
                int64_t nowPs) {
  if (L2 *l2 = l2Of(state, rank); l2 && !goesThrough(writer, rank))
    l2->drop(range, nowPs);
}

} // namespace pto
