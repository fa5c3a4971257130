//===- call.h - what a host asks of HIXL, and what comes back ---*- C++ -*-===//
//
// Addresses are ranges of a host's memory: nobody here touches their bytes.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_HIXL_MODEL_CALL_H
#define PTO_HIXL_MODEL_CALL_H

#include "hixl/states.h"

#include <limits>
#include <string>
#include <vector>

namespace pto {

/// An address; a negative offset is a null one.
struct HixlPlace {
  int32_t host = 0;
  HixlMemType space = HixlMemType::Device;
  int64_t offset = -1;

  [[nodiscard]] bool isNull() const { return offset < 0; }
};
struct HixlOpDesc {
  HixlPlace local;
  HixlPlace remote;
  int64_t bytes = 0;
};
struct HixlNotice {
  std::string name;
  std::string message;
  bool operator==(const HixlNotice &) const = default;
};

/// One call; each kind reads its own fields.
struct HixlCall {
  HixlCallKind kind = HixlCallKind::Initialize;
  uint32_t engine = 0; ///< Of addEngine.
  uint32_t site = 0;   ///< Opaque: of the program.
  uint32_t agent = 0;  ///< Opaque: who waits for the end.
  std::string remote;  ///< The name of the engine at the far side; for Initialize its own.
  int64_t timeoutMs = 1000;
  std::vector<std::pair<std::string, std::string>> options;
  HixlPlace place; ///< RegisterMem
  int64_t bytes = 0;
  HixlMemType memType = HixlMemType::Device; ///< As the call says it.
  uint32_t handle = 0;                       ///< 0: null.
  HixlOp op = HixlOp::Read;
  std::vector<HixlOpDesc> ops;
  uint64_t userData = 0;
  uint32_t request = 0; ///< 0: null.
  uint32_t maxQueries = std::numeric_limits<uint32_t>::max();
  bool skipsWaiting = false;
  HixlNotice notice;
  std::vector<HixlNotice> list; ///< What GetNotifies finds in its output.
  int64_t feature = 0;
};

struct HixlRequestAnswer {
  uint32_t request = 0;
  HixlTransferStatus status = HixlTransferStatus::Waiting;
  uint64_t userData = 0;
};
struct HixlAnswer {
  HixlStatus status = HixlStatus::Success;
  int64_t tookPs = 0;
  HixlEngine engine = HixlEngine::CommDomain; ///< That `initialize` chose.
  uint32_t id = 0;                            ///< A handle, a request, or the number of a notify.
  int32_t capability = 0;
  HixlTransferStatus transfer = HixlTransferStatus::Waiting;
  HixlConnectStatus connection = HixlConnectStatus::NotConnect;
  std::vector<HixlRequestAnswer> requests;
  std::vector<std::pair<std::string, HixlConnectStatus>> connections;
  std::vector<HixlNotice> notices;
};

} // namespace pto

#endif
