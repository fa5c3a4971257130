//===- span.h - ranges of a host's memory -----------------------*- C++ -*-===//
#ifndef PTO_HIXL_MODEL_SPAN_H
#define PTO_HIXL_MODEL_SPAN_H

#include "hixl_model/parts.h"

namespace pto::hixl {

/// "device bytes [0, 64) of rank 1"
[[nodiscard]] std::string shown(const HixlPlace &place, int64_t bytes);
[[nodiscard]] bool sharesBytes(const HixlPlace &one, int64_t bytes, const HixlPlace &other,
                               int64_t otherBytes);

/// A range of each side, READ writing the local one.
[[nodiscard]] Boxes touchesOf(llvm::ArrayRef<HixlOpDesc> ops, HixlOp op);
/// Their hulls, one a memory and a kind of access.
[[nodiscard]] Boxes boxesOf(llvm::ArrayRef<HixlOpDesc> ops, HixlOp op);
/// The first of one list that shares bytes with one of the other, where one of the two writes.
[[nodiscard]] const Box *conflictOf(const Boxes &own, const Boxes &others);

enum class Cover : uint8_t {
  Inside,
  Late, ///< Registered when the link was there already.
  Hole, ///< It begins in one range and ends in another, which do not touch.
  Outside,
};
struct Covered {
  Cover cover = Cover::Inside;
  uint32_t site = 0; ///< Of the register_mem that the story is about.
};
/// Whether ranges of one kind hold all bytes; ranges that touch are one.
[[nodiscard]] Covered coverOf(const Regions &snapshot, const Regions &live, const HixlPlace &place,
                              int64_t bytes);

} // namespace pto::hixl

#endif
