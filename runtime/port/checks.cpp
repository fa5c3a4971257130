#include "port/checks.h"

namespace pto {

std::optional<Trap> checkFlat(const View &view, llvm::StringRef role, llvm::StringRef instruction) {
  if (view.space == Space::Gm && isFlat1d(view))
    return std::nullopt;
  std::string why = "its shape is " + shapeText(view);
  if (view.dims != 0)
    why += " with stride " + std::to_string(view.stride[view.dims - 1]) + " in the last dimension";
  return makeTrap<Rule::AsyncNot1d>(role, instruction, why);
}

std::optional<Trap> checkFits(const View &dst, const View &src, llvm::StringRef instruction) {
  if (elements(dst) >= elements(src))
    return std::nullopt;
  return makeTrap<Rule::DstTooSmall>(instruction, std::to_string(elements(src)) + " elements",
                                     "a destination of " + std::to_string(elements(dst)));
}

std::optional<Trap> checkNotEmpty(const View &payload, llvm::StringRef instruction) {
  if (elements(payload) != 0)
    return std::nullopt;
  return makeTrap<Rule::EmptyPayload>(instruction);
}

std::optional<Trap> checkSamePeer(const View &payload, const View &signal) {
  if (payload.rank == signal.rank)
    return std::nullopt;
  return makeTrap<Rule::SignalWrongPeer>(payload.rank, signal.rank);
}

std::optional<Trap> checkApart(const View &payload, const View &signal,
                               llvm::StringRef instruction) {
  if (!overlap(payload, signal))
    return std::nullopt;
  ByteRange range = byteRange(payload);
  return makeTrap<Rule::PayloadOverlapsSignal>(
      instruction, llvm::formatv("bytes {0} to {1} of the window hold the word at {2}", range.begin,
                                 range.end - 1, signal.offset));
}

std::optional<Trap> checkSameType(const View &dst, const View &src, llvm::StringRef instruction) {
  if (dst.type == src.type)
    return std::nullopt;
  return makeTrap<Rule::DtypeMismatch>(instruction, info(src.type).name, info(dst.type).name);
}

std::optional<Trap> checkSignal(const View &signal, llvm::StringRef role,
                                llvm::StringRef instruction) {
  if (signal.space == Space::Gm && signal.type == ScalarType::I32 && signal.offset % 4 == 0)
    return std::nullopt;
  std::string what = signal.space != Space::Gm ? "not in GM" : info(signal.type).name.str();
  if (signal.space == Space::Gm && signal.type == ScalarType::I32)
    what = "at byte " + std::to_string(signal.offset) + ", which is no multiple of 4";
  return makeTrap<Rule::SignalNotInt32>(role, instruction, what);
}

} // namespace pto
