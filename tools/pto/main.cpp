//===- main.cpp - which subcommand ------------------------------------------------===//

#include "pto/command.h"

#include "bytecode/binary.h"

#include "llvm/Support/FileSystem.h"

namespace pto {

static Exit dispatch(const Options &options) {
  using Command = Exit (*)(const Options &);
  static constexpr std::pair<llvm::StringLiteral, Command> kCommands[] = {
      {"check", checkCommand},     {"run", runCommand},         {"test", testCommand},
      {"build", buildCommand},     {"dis", disassembleCommand}, {"dump", dumpCommand},
      {"explain", explainCommand}, {"targets", targetsCommand},
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
  llvm::errs() << "pto: error: " << message << '\n';
  return exit;
}

Exit fail(const Options &options, llvm::Error error, Exit exit) {
  return fail(options, llvm::toString(std::move(error)), exit);
}

llvm::Expected<FileId> openSource(Sources &sources, const std::string &path) {
  llvm::Expected<FileId> file = sources.open(path);
  if (file && isBinary(sources.text(*file)))
    return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                   "'" + path +
                                       "' is bytecode: `pto run` runs it, `pto dis` shows it");
  return file;
}

llvm::Error writeFile(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::error_code failed;
  llvm::raw_fd_ostream out(path, failed);
  if (!failed) {
    write(out);
    out.close();
    failed = out.error();
    out.clear_error(); // Else the stream ends the process when it is destroyed.
  }
  if (!failed)
    return llvm::Error::success();
  return llvm::createStringError(failed, "cannot write '" + path + "': " + failed.message());
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

llvm::Error setVerdicts(const Options &options, Sink &sink) {
  for (llvm::StringRef verdict : options.verdicts) {
    auto [slug, word] = verdict.split('=');
    std::optional<Rule> rule = ruleBySlug(slug);
    if (!rule)
      return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                     "-W: there is no rule '" + slug +
                                         "'; `pto explain` lists them");
    if (word == "allow")
      sink.setVerdict(*rule, Verdict::Allow);
    else if (word == "warn")
      sink.setVerdict(*rule, Verdict::Warn);
    else if (word == "deny")
      sink.setVerdict(*rule, Verdict::Deny);
    else
      return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                     "-W " + slug + " takes allow, warn or deny, not '" + word +
                                         "'");
  }
  return llvm::Error::success();
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
