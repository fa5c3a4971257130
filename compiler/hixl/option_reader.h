//===- option_reader.h - the parts of options.cpp ---------------*- C++ -*-===//
#ifndef PTO_HIXL_OPTION_READER_H
#define PTO_HIXL_OPTION_READER_H

#include "hixl/options.h"

namespace pto {

/// What the readers of single options share.
struct OptionReader {
  llvm::ArrayRef<HixlText> options;
  Platform platform;
  const HixlSurroundings &surroundings;
  HixlConfig config;
  HixlFaults faults;

  std::optional<llvm::json::Value> resources;      ///< GlobalResourceConfig, where it is an object.
  std::optional<llvm::StringRef> resourcesText;    ///< As written.
  std::optional<llvm::json::Value> localCommRes;   ///< Where it is an object.
  std::optional<llvm::StringRef> localCommResText; ///< The option, or the file of its path.
  bool isFabricMem = false;

  [[nodiscard]] const llvm::json::Object *resourceObject() const {
    return resources ? resources->getAsObject() : nullptr;
  }
  [[nodiscard]] const llvm::json::Value *resource(HixlResource which) const;
  /// The option's text, by its plain key or else by its legacy one.
  [[nodiscard]] std::optional<llvm::StringRef> text(HixlOption which) const;
  [[nodiscard]] std::optional<llvm::StringRef> variable(HixlVariable which) const;
};

// The steps, in the order of the library.
void readRdma(OptionReader &reader);
void readSwitches(OptionReader &reader);
void readResources(OptionReader &reader);
void readLocalCommRes(OptionReader &reader);
void chooseEngine(OptionReader &reader);
void checkKeys(OptionReader &reader);
void readRelay(OptionReader &reader);
void readForEngine(OptionReader &reader);
void checkPlatform(OptionReader &reader);

} // namespace pto

#endif
