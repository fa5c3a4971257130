//===- pipe_ops.h - the operations of the pipes -----------------*- C++ -*-===//
//
// A maker checks the views of a request and plans its operation. It leaves `op` null where there is
// nothing to do: no access happens then, and token 0, which is always done, stands for it. A new
// kind of operation is a file with its maker, a declaration here and a row in pipe.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_ENGINE_PIPE_OPS_H
#define PTO_ENGINE_PIPE_OPS_H

#include "engine/state.h"
#include "port/request.h"

namespace pto {

/// Who asks for an operation, and what for.
struct PipeRequest {
  const EngineState &state;
  const CoreState &core;
  const Request &request;

  [[nodiscard]] llvm::StringRef name() const { return info(request.opcode).mnemonic; }
  [[nodiscard]] const View &view(unsigned index) const { return request.views[index]; }
  [[nodiscard]] bool hasView(unsigned index) const {
    return index < request.viewCount && request.views[index].space != Space::None;
  }
};

using MakePipeOp = std::optional<Trap> (*)(const PipeRequest &ask, std::unique_ptr<PipeOp> &op);

// staged.cpp
[[nodiscard]] std::optional<Trap> makeStagedMove(const PipeRequest &ask,
                                                 std::unique_ptr<PipeOp> &op);
// tile_move.cpp
[[nodiscard]] std::optional<Trap> makeTileMove(const PipeRequest &ask, std::unique_ptr<PipeOp> &op);

// flags.cpp
[[nodiscard]] std::optional<Trap> makeFlagOp(const PipeRequest &ask, std::unique_ptr<PipeOp> &op);
/// Before an operation begins: the flags that it uses itself are down.
void claimFlags(CorePipes &pipes, const PipeOp &op);

// What several makers ask: pipe_checks.cpp.
/// A tile of the data's type with a valid region that is not empty.
[[nodiscard]] std::optional<Trap> checkTile(const View &tile, const View &data,
                                            llvm::StringRef instruction);
/// Sets `into` to the part that the operation writes, or says why it cannot.
[[nodiscard]] std::optional<Trap> narrowTo(View &into, const View &from,
                                           llvm::StringRef instruction);
/// The nominal time in which a pipe of the core moves bytes to or from the far view.
[[nodiscard]] int64_t movePs(int32_t rank, const View &far, int64_t bytes);

} // namespace pto

#endif
