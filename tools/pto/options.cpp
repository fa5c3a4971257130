//===- options.cpp - the command line -------------------------------------------===//

#include "pto/command.h"

#include "target/platform.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

namespace {
/// One option of the command line. Every row says which commands take it, so that a misplaced option
/// is refused, and the help of a command lists what it really has.
struct OptionRow {
  llvm::StringLiteral name;     ///< With its dashes.
  llvm::StringLiteral argument; ///< What follows; empty for a flag.
  llvm::StringLiteral commands; ///< Words.
  llvm::StringLiteral meaning;
  llvm::Error (*set)(Options &options, llvm::StringRef value);
};

struct CommandRow {
  llvm::StringLiteral name;
  llvm::StringLiteral arguments;
  llvm::StringLiteral meaning;
};

constexpr CommandRow kCommands[] = {
    {"check", "FILE...", "say everything that can be decided without running"},
    {"run", "FILE", "run `host main`, or every test where there is none"},
    {"test", "PATH...", "run the tests of files and folders"},
    {"build", "FILE -o x.ptoc", "compile to bytecode"},
    {"dis", "x.ptoc", "bytecode in words"},
    {"dump", "--stage S FILE", "any stage in words"},
    {"explain", "[SLUG]", "the page of a rule, or the list of rules"},
    {"targets", "", "the capability matrix"},
};

llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), why);
}

template <typename T>
llvm::Error number(T &to, llvm::StringRef option, llvm::StringRef value, uint64_t least, uint64_t most) {
  uint64_t read = 0;
  if (value.getAsInteger(10, read) || read < least || read > most)
    return refuse(option + " takes a whole number from " + llvm::Twine(least) + " to " + llvm::Twine(most) +
                  ", not '" + value + "'");
  to = T(read);
  return llvm::Error::success();
}

llvm::Error oneOf(std::string &to, llvm::StringRef option, llvm::StringRef value,
                  llvm::ArrayRef<llvm::StringRef> choices) {
  if (!llvm::is_contained(choices, value))
    return refuse(option + " takes " + llvm::join(choices, ", ") + ", not '" + value + "'");
  to = value.str();
  return llvm::Error::success();
}

llvm::Error text(std::string &to, llvm::StringRef value) {
  to = value.str();
  return llvm::Error::success();
}

llvm::Error add(std::vector<std::string> &to, llvm::StringRef option, llvm::StringRef value, llvm::StringRef form) {
  if (!value.contains('=') || value.starts_with("="))
    return refuse(option + " takes " + form + ", not '" + value + "'");
  to.push_back(value.str());
  return llvm::Error::success();
}

using Value = llvm::StringRef;
// clang-format off
const OptionRow kOptions[] = {
  {"--target", "T", "check run test build dump", "a2, a3, a5, ascend950[,cann=VERSION][,nic=NAME]; a run's default is a3",
   [](Options &o, Value v) { return text(o.target, v); }},
  {"--ranks", "N", "check run test dump", "ranks, instead of what the test or host states",
   [](Options &o, Value v) { return number(o.ranks, "--ranks", v, 1, uint64_t(limit(Limit::MaxRanks))); }},
  {"--blocks", "N", "run test", "blocks of a launch that states none",
   [](Options &o, Value v) { return number(o.blocks, "--blocks", v, 1, 65536); }},
  {"--host", "NAME", "run", "the host to run, instead of main",
   [](Options &o, Value v) { return text(o.host, v); }},
  {"--mode", "M", "run test", "sim: one thread, virtual time",
   [](Options &, Value v) { std::string mode; return oneOf(mode, "--mode", v, {"sim"}); }},
  {"--seed", "S", "run test", "which schedule; the same seed gives the same run",
   [](Options &o, Value v) { o.hasSeed = true; return number(o.seed, "--seed", v, 0, INT64_MAX); }},
  {"--seeds", "K", "run test", "repeat under K schedules, from --seed on",
   [](Options &o, Value v) { return number(o.seeds, "--seeds", v, 1, 1000000); }},
  {"--steps", "N", "run test", "instructions after which a run is stopped",
   [](Options &o, Value v) { return number(o.steps, "--steps", v, 1, INT64_MAX); }},
  {"--memory", "MIB", "run test", "MiB of GM of all ranks together; default 8192",
   [](Options &o, Value v) { llvm::Error e = number(o.memory, "--memory", v, 1, 1 << 20); o.memory <<= 20; return e; }},
  {"--filter", "TEXT", "run test", "only tests whose name contains the text",
   [](Options &o, Value v) { return text(o.filter, v); }},
  {"--in", "W=F.NPY", "run", "fill a window before the run; {rank} in the name stands for the rank",
   [](Options &o, Value v) { return add(o.inputs, "--in", v, "WINDOW=FILE.npy"); }},
  {"--out", "W=F.NPY", "run", "save a window after the run",
   [](Options &o, Value v) { return add(o.outputs, "--out", v, "WINDOW=FILE.npy"); }},
  {"--trace", "T.JSON", "run test", "write what happened when, for Perfetto",
   [](Options &o, Value v) { return text(o.trace, v); }},
  {"--report", "F", "run test", "text or json",
   [](Options &o, Value v) { return oneOf(o.format, "--report", v, {"text", "json"}); }},
  {"--format", "F", "check run test explain targets", "text or json; for explain also markdown",
   [](Options &o, Value v) { return oneOf(o.format, "--format", v, {"text", "json", "markdown"}); }},
  {"--junit", "F.XML", "test", "write JUnit XML",
   [](Options &o, Value v) { return text(o.junit, v); }},
  {"--stage", "S", "dump", "tokens, ast, program or bytecode",
   [](Options &o, Value v) { return oneOf(o.stage, "--stage", v, {"tokens", "ast", "program", "bytecode"}); }},
  {"--function", "NAME", "dump dis", "only this kernel, function, host or test",
   [](Options &o, Value v) { return text(o.function, v); }},
  {"--stdlib", "DIR", "check run test build dump", "read the library from a folder instead of the built-in copy",
   [](Options &o, Value v) { return text(o.stdlib, v); }},
  {"-D", "NAME=VALUE", "check run test build dump", "give a top-level const another value",
   [](Options &o, Value v) { return add(o.defines, "-D", v, "NAME=VALUE"); }},
  {"-W", "SLUG=V", "check run test build", "allow, warn or deny a rule",
   [](Options &o, Value v) { return add(o.verdicts, "-W", v, "SLUG=allow, SLUG=warn or SLUG=deny"); }},
  {"-o", "FILE", "build", "where to write the bytecode",
   [](Options &o, Value v) { return text(o.output, v); }},
};
// clang-format on

bool takes(const OptionRow &row, llvm::StringRef command) {
  llvm::SmallVector<llvm::StringRef, 8> commands;
  llvm::StringRef(row.commands).split(commands, ' ');
  return llvm::is_contained(commands, command);
}

void printHelp(llvm::raw_ostream &out) {
  out << "pto: write, check and run Ascend PTO tile-communication kernels\n\n";
  for (const CommandRow &row : kCommands)
    out << "  pto " << llvm::left_justify((row.name + " " + row.arguments).str(), 26) << row.meaning << '\n';
  out << "\n`pto COMMAND --help` lists its options.\n"
         "exit codes: 0 fine, 1 errors before running, 2 wrong usage or unreadable input,\n"
         "            3 a finding of a run or a failed expectation, 4 a fault of pto itself\n";
}

void printHelp(llvm::raw_ostream &out, const CommandRow &command) {
  out << "pto " << command.name << ' ' << command.arguments << ": " << command.meaning << "\n\n";
  for (const OptionRow &row : kOptions)
    if (takes(row, command.name))
      out << "  " << llvm::left_justify((row.name + " " + row.argument).str(), 20) << row.meaning << '\n';
}

const CommandRow *commandByName(llvm::StringRef name) {
  for (const CommandRow &row : kCommands)
    if (row.name == name)
      return &row;
  return nullptr;
}

/// Reads one option at argv[i] and what follows it; moves i to the last word it took.
llvm::Error takeOption(Options &options, int argc, char **argv, int &i) {
  llvm::StringRef word = argv[i];
  for (const OptionRow &row : kOptions) {
    llvm::StringRef value = word;
    if (!value.consume_front(row.name))
      continue;
    bool isShort = row.name.size() == 2;
    bool isJoined = !value.empty();
    if (isJoined && !isShort && !value.consume_front("="))
      continue; // `--seeds` begins with `--seed`.
    if (!takes(row, options.command))
      return refuse("'" + row.name + "' is no option of `pto " + options.command + "`");
    if (!isJoined) {
      if (i + 1 >= argc)
        return refuse(row.name + " needs a value: " + row.argument);
      value = argv[++i];
    }
    return row.set(options, value);
  }
  return refuse("'" + word + "' is no option; `pto " + options.command + " --help` lists them");
}
} // namespace

llvm::Expected<Options> parseOptions(int argc, char **argv, std::optional<Exit> &done) {
  Options options;
  llvm::StringRef first = argc > 1 ? argv[1] : "--help";
  if (first == "--help" || first == "-h" || first == "help") {
    printHelp(llvm::outs());
    done = argc > 1 ? Exit::Fine : Exit::Usage;
    return options;
  }
  if (first == "--version") {
    llvm::outs() << "pto " PTO_VERSION "\n";
    done = Exit::Fine;
    return options;
  }
  const CommandRow *command = commandByName(first);
  if (!command)
    return refuse("'" + first + "' is no command; `pto --help` lists them");
  options.command = first.str();
  for (int i = 2; i < argc; ++i) {
    llvm::StringRef word = argv[i];
    if (word == "--help" || word == "-h") {
      printHelp(llvm::outs(), *command);
      done = Exit::Fine;
      return options;
    }
    if (!word.starts_with("-") || word == "-") {
      options.files.push_back(word.str());
      continue;
    }
    if (llvm::Error failed = takeOption(options, argc, argv, i))
      return std::move(failed);
  }
  return options;
}

} // namespace pto
