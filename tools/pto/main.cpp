//===- main.cpp - which subcommand ------------------------------------------------===//

#include "pto/command.h"

#include "diag/sarif.h"

namespace pto {

static Exit dispatch(const Options &options) {
  using Command = Exit (*)(const Options &);
  static constexpr std::pair<llvm::StringLiteral, Command> kCommands[] = {
      {"check", checkCommand},     {"lint", checkCommand},      {"run", runCommand},
      {"test", testCommand},       {"mutate", mutateCommand},   {"build", buildCommand},
      {"dis", disassembleCommand}, {"dump", dumpCommand},       {"fmt", formatCommand},
      {"explain", explainCommand}, {"targets", targetsCommand}, {"hixl", hixlCommand},
  };
  for (const auto &[name, command] : kCommands)
    if (name == options.command)
      return command(options);
  return Exit::Internal;
}

Exit fail(const Options &options, const llvm::Twine &message, Exit exit) {
  if (options.format == "json") {
    Result result;
    result.failure = message.str();
    writeJson(llvm::outs(), result);
    return exit;
  }
  if (options.format == "sarif") {
    llvm::json::Object log = sarifLog(Sources(), {}, PTO_VERSION, message.str());
    llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(log)));
  }
  llvm::errs() << "pto: error: " << message << '\n';
  return exit;
}

Exit fail(const Options &options, llvm::Error error, Exit exit) {
  return fail(options, llvm::toString(std::move(error)), exit);
}

llvm::Expected<CompileOptions> compileOptions(const Options &options, bool isRun) {
  CompileOptions compile;
  compile.stdlibDirectory = options.stdlib;
  for (llvm::StringRef define : options.defines) {
    auto [name, value] = define.split('=');
    compile.check.defines.push_back({name.str(), value.str()});
  }
  // A run's ranks may differ from entry to entry, so only `check` takes them for a constant.
  if (options.ranks > 0 && !isRun)
    compile.check.ranks = options.ranks;
  if (options.ranks > 0)
    compile.check.worldRanks = options.ranks;
  if (options.blocks > 0)
    compile.check.worldBlocks = options.blocks;
  if (options.target.empty() && !isRun)
    return compile;
  llvm::Expected<Target> target =
      parseTarget(options.target.empty() ? llvm::StringRef(kDefaultTarget) : options.target);
  if (!target)
    return target.takeError();
  compile.check.target = *target;
  compile.check.isDefaultTarget = options.target.empty();
  return compile;
}

} // namespace pto

/// A result that did not get out is no result, whatever the verdict was.
static pto::Exit finishOutput(pto::Exit exit) {
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return exit;
  std::string why = llvm::outs().error().message();
  llvm::outs().clear_error(); // Else the stream ends the process when it is destroyed.
  llvm::errs() << "pto: error: cannot write the output: " << why << '\n';
  return pto::Exit::Usage;
}

int main(int argc, char **argv) {
  std::optional<pto::Exit> done;
  llvm::Expected<pto::Options> options = pto::parseOptions(argc, argv, done);
  if (!options)
    return int(pto::fail({}, options.takeError()));
  if (done)
    return int(*done);
  return int(finishOutput(pto::dispatch(*options)));
}
