#include "hixl/identifier.h"

#include "hixl/json_text.h"

#include <arpa/inet.h>

namespace pto {

static constexpr int64_t kMostPort = 65535;

std::optional<HixlAddress> HixlAddress::parse(llvm::StringRef text) {
  static constexpr size_t kMostBytes = 45;
  if (text.size() > kMostBytes || text.contains('\0'))
    return std::nullopt;
  HixlAddress address;
  address.isV6 = text.contains(':');
  if (inet_pton(address.isV6 ? AF_INET6 : AF_INET, text.str().c_str(), address.bytes.data()) != 1)
    return std::nullopt;
  return address;
}

bool HixlAddress::isLoopback() const {
  if (!isV6)
    return bytes[0] == 127;
  std::array<uint8_t, 16> one{};
  one.back() = 1;
  return bytes == one;
}

static ParsedIdentifier refuse(llvm::StringRef text, const llvm::Twine &why) {
  OptionFault fault;
  fault.account = "HX-ENG-09";
  fault.status = HixlStatus::ParamInvalid;
  fault.isError = true;
  fault.text = (quoted(text) + " names no engine: " + why + ".").str();
  fault.mend = "Write an address, and a port for an engine that listens: \"10.0.0.1:26000\" or "
               "\"[fd00::1]:26000\".";
  return {std::nullopt, fault};
}

/// What stands after the colon of a port.
static std::optional<int64_t> readPort(llvm::StringRef text) {
  bool isNegative = text.consume_front("-");
  std::optional<int64_t> port = plainInteger(text);
  if (!port || *port > kMostPort)
    return std::nullopt;
  return isNegative ? -*port : *port;
}

ParsedIdentifier parseHixlIdentifier(llvm::StringRef text) {
  llvm::StringRef address = text;
  llvm::StringRef port;
  bool isBracketed = address.consume_front("[");
  if (isBracketed) {
    size_t end = address.find(']');
    if (end == llvm::StringRef::npos)
      return refuse(text, "its bracket is never closed");
    port = address.drop_front(end + 1);
    address = address.take_front(end);
    if (!port.empty() && !port.starts_with(":"))
      return refuse(text, "behind the bracket only a colon and a port may follow");
  } else if (text.count(':') == 1) {
    address = text.take_front(text.find(':'));
    port = text.drop_front(address.size());
  }
  HixlIdentifier identifier;
  identifier.text = text.str();
  if (port.consume_front(":")) {
    std::optional<int64_t> number = readPort(port);
    if (!number)
      return refuse(text, quoted(port) + " is no port from 1 to " + llvm::Twine(kMostPort));
    identifier.port = *number;
  }
  std::optional<HixlAddress> literal = HixlAddress::parse(address);
  if (literal && literal->isV6 && !isBracketed)
    return refuse(text, "an IPv6 address stands in brackets, since it has colons itself");
  if (!literal || literal->isV6 != isBracketed)
    return refuse(text, quoted(address) + " is no literal of IPv" + (isBracketed ? "6" : "4") +
                            ", and names of hosts are not looked up");
  identifier.address = *literal;
  return {identifier, std::nullopt};
}

std::optional<OptionFault> clashOf(const HixlIdentifier &one, const HixlIdentifier &other) {
  bool isSamePlace = one.listens() && one.port == other.port && one.address == other.address;
  if (!isSamePlace && one.text != other.text)
    return std::nullopt;
  OptionFault fault;
  fault.account = "HX-ENG-10";
  fault.status = one.listens() ? HixlStatus::Failed : HixlStatus::Success;
  fault.isError = true;
  fault.text = isSamePlace
                   ? "Two engines listen at " + quoted(one.text) +
                         (one.text == other.text ? "" : ", which is " + quoted(other.text)) +
                         ". The second one cannot bind its port, and initialize fails."
                   : "Two engines are named " + quoted(one.text) +
                         ". Links are kept by name, so a peer takes one for the other.";
  fault.mend = "Give each engine an address and port of its own.";
  return fault;
}

std::optional<OptionFault> loopbackFault(const HixlIdentifier &identifier, unsigned hosts) {
  if (hosts < 2 || !identifier.address.isLoopback())
    return std::nullopt;
  OptionFault fault;
  fault.account = "HX-ENG-11";
  fault.text = quoted(identifier.text) + " is a loopback address, and the engines stand on " +
               std::to_string(hosts) +
               " hosts. From another host the name leads to that host itself.";
  fault.mend = "Use an address of the network that joins the hosts.";
  return fault;
}

} // namespace pto
