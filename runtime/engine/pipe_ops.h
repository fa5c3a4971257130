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
// vector.cpp
[[nodiscard]] std::optional<Trap> makeTileArithmetic(const PipeRequest &ask,
                                                     std::unique_ptr<PipeOp> &op);

// flags.cpp
[[nodiscard]] std::optional<Trap> makeFlagOp(const PipeRequest &ask, std::unique_ptr<PipeOp> &op);
/// Before an operation begins: the flags that it uses itself are down.
void claimFlags(CorePipes &pipes, const PipeOp &op);

// atomics.cpp
[[nodiscard]] std::optional<Trap> makeAmo(const PipeRequest &ask, std::unique_ptr<PipeOp> &op);

// collective.cpp
[[nodiscard]] std::optional<Trap> makeCollective(const PipeRequest &ask,
                                                 std::unique_ptr<PipeOp> &op);
// reduce.cpp
[[nodiscard]] std::optional<Trap> makeReduction(const PipeRequest &ask,
                                                std::unique_ptr<PipeOp> &op);
// group.cpp
/// The group of a collective, if the caller is its root.
[[nodiscard]] std::optional<Trap> takeGroup(const PipeRequest &ask,
                                            std::shared_ptr<const Group> &group);

// What several makers ask of their operands: pipe_checks.cpp. Tensors have five dimensions.
/// A tile of the data's type with a valid region that is not empty.
[[nodiscard]] std::optional<Trap> checkTile(const PipeRequest &ask, const View &tile,
                                            const View &data);
/// Memory outside of UB in rows that a pipe can move.
[[nodiscard]] std::optional<Trap> checkTensor(const View &tensor, llvm::StringRef role,
                                              llvm::StringRef instruction);
/// `to` is at least as large as `from` in every dimension.
[[nodiscard]] std::optional<Trap> checkHolds(const View &to, const View &from,
                                             llvm::StringRef instruction);
/// The tile takes the tensor at once or in chunks; a second one (or null) takes turns with it.
[[nodiscard]] std::optional<Trap> checkStaging(const PipeRequest &ask, const View &tensor,
                                               const View &ping, const View *pong);
/// Two tiles that take turns.
[[nodiscard]] std::optional<Trap> checkPair(const PipeRequest &ask, const View &one,
                                            const View &other);
/// The tile's valid region has the rows and columns of the tensor.
[[nodiscard]] std::optional<Trap> checkSameShape(const View &tile, const View &tensor,
                                                 llvm::StringRef instruction);
/// The store's atomic unit adds elements of this type.
[[nodiscard]] std::optional<Trap> checkAtomicAdd(const PipeRequest &ask, const View &to);
/// treduce takes elements of this type on the target.
[[nodiscard]] std::optional<Trap> checkReduceType(const PipeRequest &ask, const View &member);
/// The nominal time in which V computes a tile of that many bytes.
[[nodiscard]] int64_t vectorPs(int64_t bytes);
/// The nominal time in which a pipe of the core moves bytes to or from the far view.
[[nodiscard]] int64_t movePs(int32_t rank, const View &far, int64_t bytes);

} // namespace pto

#endif
