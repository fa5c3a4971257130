//===- data.h - what a cluster knows ----------------------------*- C++ -*-===//
#ifndef PTO_HIXL_MODEL_DATA_H
#define PTO_HIXL_MODEL_DATA_H

#include "hixl_model/cluster.h"
#include "hixl_model/parts.h"

namespace pto::hixl {

/// All that changes in a run; State does what changes it.
class Data {
protected:
  explicit Data(const HixlClusterConfig &config) : config_(config) {}

  HixlClusterConfig config_;
  int64_t now_ = 0;
  uint64_t sequence_ = 0;
  std::map<DeedKey, Deed> deeds_;
  std::deque<Engine> engines_;           ///< By id, from 1.
  std::map<uint32_t, Request> requests_; ///< By id, from 1; those that are open or remembered.
  uint32_t issued_ = 0;
  std::set<uint32_t> open_;         ///< Ids of those that are.
  std::vector<uint32_t> closed_;    ///< Released since the last sweep.
  std::deque<uint32_t> remembered_; ///< Released before, for what a later query is told.
  uint32_t handles_ = 0;
  uint64_t links_ = 0;
  struct Parked {
    HixlCall call;
    int32_t host = 0;
  };
  std::map<uint32_t, Parked> parked_;
  uint32_t tickets_ = 0;
  uint32_t notices_ = 0;
  std::set<std::tuple<std::string, uint32_t, uint32_t>> said_;
  std::vector<HixlFault> cuts_;
  std::map<int32_t, HixlFaultKind> armed_; ///< By host: what its next transfer meets.
  HixlEffects effects_;
};

} // namespace pto::hixl

#endif
