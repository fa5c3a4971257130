//===- command.h - what the subcommands share -------------------*- C++ -*-===//
#ifndef PTO_TOOLS_COMMAND_H
#define PTO_TOOLS_COMMAND_H

#include "diag/sink.h"
#include "driver/compile.h"
#include "report/result.h"

#include "llvm/Support/Error.h"

namespace pto {

/// What a process of pto says by its exit code.
enum class Exit : int {
  Fine = 0,
  Errors = 1,   ///< Findings of severity error, decided before running.
  Usage = 2,    ///< Wrong usage, or input that cannot be read.
  Run = 3,      ///< A finding of a run, or a failed expectation.
  Internal = 4, ///< A fault of pto; base/check.h ends with it too.
};

/// All options of all subcommands, as the command line gave them.
struct Options {
  std::string command;
  std::vector<std::string> files;
  std::string target;   ///< Empty: not given.
  std::string topology; ///< Empty: not given.
  int32_t ranks = 0;    ///< 0: not given.
  int32_t blocks = 0;
  bool hasSeed = false;
  uint64_t seed = 0;
  unsigned seeds = 1;
  int32_t late = -1;   ///< A rank that is late; -1: none.
  uint64_t steps = 0;  ///< 0: the default.
  uint64_t memory = 0; ///< Bytes of GM of all ranks; 0: the default.
  std::string host;
  std::string filter;
  std::string format = "text";
  std::string trace;
  std::string output;   ///< -o
  bool isCheck = false; ///< --check
  std::string junit;
  bool noAudit = false;
  std::string stage;
  std::string function;
  std::string stdlib;
  std::string baseline;
  std::string writeBaseline;
  bool fixes = false; ///< --fix
  bool showsUnknowns = false;
  std::vector<std::string> inputs; ///< w=f.npy
  std::vector<std::string> outputs;
  std::vector<std::string> defines;  ///< NAME=VALUE
  std::vector<std::string> verdicts; ///< slug=allow|warn|deny
};

/// Reads the command line; an exit code where there is nothing more to do (help, wrong usage).
[[nodiscard]] llvm::Expected<Options> parseOptions(int argc, char **argv,
                                                   std::optional<Exit> &done);

Exit checkCommand(const Options &options);
Exit runCommand(const Options &options);
Exit testCommand(const Options &options);
Exit mutateCommand(const Options &options);
Exit buildCommand(const Options &options);
Exit disassembleCommand(const Options &options);
Exit dumpCommand(const Options &options);
Exit formatCommand(const Options &options);
Exit explainCommand(const Options &options);
Exit targetsCommand(const Options &options);
Exit hixlCommand(const Options &options);

/// Opens a file that must be source text; bytecode is refused in words instead of as broken text.
[[nodiscard]] llvm::Expected<FileId> openSource(Sources &sources, const std::string &path);
/// Adds a file, or the .pto files below a folder: sorted, so that the order never depends on the
/// file system.
[[nodiscard]] llvm::Error collectPrograms(llvm::StringRef path, std::vector<std::string> &files);
/// Opens a file, lets `write` fill it, and says if any byte did not get there.
[[nodiscard]] llvm::Error writeFile(llvm::StringRef path,
                                    llvm::function_ref<void(llvm::raw_ostream &)> write);

/// Replaces a file by a text, all of it or nothing.
[[nodiscard]] llvm::Error replaceFile(llvm::StringRef path, llvm::StringRef text);
/// Applies the fixes of a file's findings until none is left, and tells the result of each; a file
/// with syntax errors stays as it is.
[[nodiscard]] llvm::Error fixFile(const std::string &path, const Options &options,
                                  const CompileOptions &compileWith, Result &result);

/// Prints one line to stderr, or a failed result where JSON is wanted.
Exit fail(const Options &options, llvm::Error error, Exit exit = Exit::Usage);
Exit fail(const Options &options, const llvm::Twine &message, Exit exit = Exit::Usage);

/// The part of the options that the compiler wants. `isRun`: an unstated target is the default one.
[[nodiscard]] llvm::Expected<CompileOptions> compileOptions(const Options &options, bool isRun);
/// Applies -W, and that `pto lint` wants advice.
[[nodiscard]] llvm::Error setVerdicts(const Options &options, Sink &sink);

} // namespace pto

#endif
