//===- options.cpp - the command line -------------------------------------------===//

#include "pto/command.h"

#include "target/platform.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace pto {

namespace {
namespace cl = llvm::cl;
using Group = cl::SubCommandGroup;
using Text = cl::opt<std::string>;
using Number = cl::opt<std::string>; // LLVM's own words for a wrong number name a C type.
using Texts = cl::list<std::string>;
using Flag = cl::opt<bool>;

/// All subcommands and options. LLVM's command line registers options when they are constructed, so
/// they are members of one object that is made when the command line is read, and not before main.
struct CommandLine {
  cl::OptionCategory ours{"Options"};

  cl::SubCommand check{"check", "say everything that can be decided without running"};
  cl::SubCommand lint{"lint", "check, and say what could be better"};
  cl::SubCommand run{"run", "run `host main`, or every test where there is none"};
  cl::SubCommand test{"test", "run the tests of files and folders"};
  cl::SubCommand mutate{"mutate",
                        "take one synchronising step away at a time, and see what a run says"};
  cl::SubCommand build{"build", "compile to bytecode"};
  cl::SubCommand dis{"dis", "bytecode in words"};
  cl::SubCommand dump{"dump", "any stage in words"};
  cl::SubCommand fmt{"fmt", "lay out files, or the input (-), in the one way of the language"};
  cl::SubCommand explain{"explain", "the page of a rule, or the list of rules"};
  cl::SubCommand targets{"targets", "the capability matrix"};
  cl::SubCommand hixl{"hixl", "the tables of HIXL, or those that are named: states, options, …"};
  Group all{&check, &lint, &run, &test,    &mutate,  &build,
            &dis,   &dump, &fmt, &explain, &targets, &hixl};
  Group checks{&check, &lint};
  Group runs{&run, &test};
  Group mutates{&run, &test, &mutate};
  Group compiles{&check, &lint, &run, &test, &mutate, &build, &dump};
  Group takesRanks{&check, &lint, &run, &test, &dump};
  Group printsResult{&run, &test, &explain, &targets};
  Group takesVerdicts{&check, &lint, &run, &test, &build, &dump};
  Group takesFunction{&dump, &dis};

  Texts files{cl::Positional, cl::desc("FILE..."), cl::sub(all), cl::cat(ours)};
  Text target{"target",
              cl::desc("a2, a3, a5, ascend950[,cann=VERSION][,nic=NAME]; a run's default is a3"),
              cl::value_desc("T"), cl::sub(compiles), cl::cat(ours)};
  Number ranks{"ranks", cl::desc("ranks, instead of what the test or host states"),
               cl::value_desc("N"), cl::sub(takesRanks), cl::cat(ours)};
  Number blocks{"blocks", cl::desc("blocks of a launch that states none"), cl::value_desc("N"),
                cl::sub(runs), cl::cat(ours)};
  Text topology{"topology",
                cl::desc("how ranks are joined, instead of what the test states: mesh, dies, pcie, "
                         "roce, cluster[:RANKS of the innermost group], or FILE.json"),
                cl::value_desc("T"), cl::sub(runs), cl::cat(ours)};
  Text host{"host", cl::desc("the host to run, instead of main"), cl::value_desc("NAME"),
            cl::sub(run), cl::cat(ours)};
  Text mode{"mode", cl::desc("sim: one thread, virtual time"), cl::init("sim"), cl::sub(runs),
            cl::cat(ours)};
  Number seed{"seed", cl::desc("which schedule; the same seed gives the same run"),
              cl::value_desc("S"), cl::sub(runs), cl::cat(ours)};
  Number seeds{"seeds", cl::desc("repeat under K schedules, from --seed on"), cl::value_desc("K"),
               cl::sub(mutates), cl::cat(ours)};
  Number late{"late", cl::desc("start the blocks of this rank a millisecond after their launch"),
              cl::value_desc("RANK"), cl::sub(runs), cl::cat(ours)};
  Number steps{"steps", cl::desc("instructions after which a run is stopped"), cl::value_desc("N"),
               cl::sub(runs), cl::cat(ours)};
  Number memory{"memory", cl::desc("MiB of GM of all ranks together; default 8192"),
                cl::value_desc("MIB"), cl::sub(runs), cl::cat(ours)};
  Text filter{"filter", cl::desc("only tests whose name contains the text"), cl::value_desc("TEXT"),
              cl::sub(mutates), cl::cat(ours)};
  Texts in{"in", cl::desc("fill a window before the run; {rank} in the name stands for the rank"),
           cl::value_desc("WINDOW=FILE.npy"), cl::sub(run), cl::cat(ours)};
  Texts out{"out", cl::desc("save a window after the run"), cl::value_desc("WINDOW=FILE.npy"),
            cl::sub(run), cl::cat(ours)};
  Text trace{"trace", cl::desc("write what happened when, for Perfetto"), cl::value_desc("T.json"),
             cl::sub(runs), cl::cat(ours)};
  Text report{"report", cl::desc("text or json"), cl::sub(runs), cl::cat(ours)};
  Text format{"format", cl::desc("text or json"), cl::sub(printsResult), cl::cat(ours)};
  Text logFormat{"format", cl::desc("text, json or sarif"), cl::sub(checks), cl::cat(ours)};
  Flag fix{"fix", cl::desc("apply the fixes of the findings, then check again"), cl::sub(checks),
           cl::cat(ours)};
  Flag unknown{"unknown", cl::desc("say too what could not be decided before running"),
               cl::sub(checks), cl::cat(ours)};
  Text baseline{"baseline", cl::desc("leave out the findings that the file knows"),
                cl::value_desc("F.json"), cl::sub(checks), cl::cat(ours)};
  Text writeBaseline{"write-baseline", cl::desc("write the findings to a file, to be known"),
                     cl::value_desc("F.json"), cl::sub(checks), cl::cat(ours)};
  Flag noAudit{"no-audit", cl::desc("run without judging order, signals and memory"), cl::sub(runs),
               cl::cat(ours)};
  Text junit{"junit", cl::desc("write JUnit XML"), cl::value_desc("F.xml"), cl::sub(test),
             cl::cat(ours)};
  Text stage{"stage", cl::desc("tokens, ast, program or bytecode"), cl::sub(dump), cl::cat(ours)};
  Text function{"function", cl::desc("only this kernel, function, host or test"),
                cl::value_desc("NAME"), cl::sub(takesFunction), cl::cat(ours)};
  Text stdlib{"stdlib", cl::desc("read the library from a folder instead of the built-in copy"),
              cl::value_desc("DIR"), cl::sub(compiles), cl::cat(ours)};
  Texts defines{"D",
                cl::desc("give a top-level const another value"),
                cl::value_desc("NAME=VALUE"),
                cl::Prefix,
                cl::sub(compiles),
                cl::cat(ours)};
  Texts verdicts{"W",
                 cl::desc("allow, warn or deny a rule"),
                 cl::value_desc("SLUG=V"),
                 cl::Prefix,
                 cl::sub(takesVerdicts),
                 cl::cat(ours)};
  cl::opt<bool> checkOnly{"check",
                          cl::desc("change nothing; name the files that are laid out otherwise"),
                          cl::sub(fmt), cl::cat(ours)};
  Text output{"o", cl::desc("where to write the bytecode"), cl::value_desc("FILE"), cl::sub(build),
              cl::cat(ours)};

  [[nodiscard]] std::vector<cl::SubCommand *> commands() {
    return {&check, &lint, &run, &test,    &mutate,  &build,
            &dis,   &dump, &fmt, &explain, &targets, &hixl};
  }
};

constexpr llvm::StringLiteral kOverview =
    "pto: write, check and run Ascend PTO tile-communication kernels\n\n"
    "exit codes: 0 fine, 1 errors before running, 2 wrong usage or unreadable input,\n"
    "            3 a finding of a run or a failed expectation, 4 a fault of pto itself\n";

llvm::Error refuse(const llvm::Twine &why) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), why);
}

/// A number in its range; an option that was not given keeps the default of Options.
template <typename T> llvm::Error take(T &to, const Number &option, uint64_t least, uint64_t most) {
  if (option.getNumOccurrences() == 0)
    return llvm::Error::success();
  uint64_t number = 0;
  if (llvm::StringRef(option).getAsInteger(10, number) || number < least || number > most)
    return refuse("--" + option.ArgStr + " takes " + llvm::Twine(least) + " to " +
                  llvm::Twine(most) + ", not '" + option + "'");
  to = T(number);
  return llvm::Error::success();
}

llvm::Error takeNumbers(CommandLine &line, Options &options) {
  options.hasSeed = line.seed.getNumOccurrences() > 0;
  llvm::Error wrong = take(options.ranks, line.ranks, 1, uint64_t(limit(Limit::MaxRanks)));
  wrong = llvm::joinErrors(std::move(wrong), take(options.blocks, line.blocks, 1, 65536));
  wrong = llvm::joinErrors(std::move(wrong), take(options.seed, line.seed, 0, INT64_MAX));
  wrong = llvm::joinErrors(std::move(wrong), take(options.seeds, line.seeds, 1, 1000000));
  wrong = llvm::joinErrors(std::move(wrong),
                           take(options.late, line.late, 0, uint64_t(limit(Limit::MaxRanks)) - 1));
  wrong = llvm::joinErrors(std::move(wrong), take(options.steps, line.steps, 1, INT64_MAX));
  wrong = llvm::joinErrors(std::move(wrong), take(options.memory, line.memory, 1, 1 << 20));
  options.memory <<= 20;
  return wrong;
}

/// Values that are one of a few words, or NAME=VALUE.
llvm::Error checkForms(const CommandLine &line, const Options &options) {
  if (line.mode != "sim")
    return refuse("--mode is sim in this version, not '" + line.mode + "'");
  bool takesSarif = options.command == "check" || options.command == "lint";
  if (!llvm::is_contained({"text", "json"}, options.format) &&
      !(takesSarif && options.format == "sarif"))
    return refuse(llvm::Twine("the format is ") +
                  (takesSarif ? "text, json or sarif" : "text or json") + ", not '" +
                  options.format + "'");
  if (!options.stage.empty() &&
      !llvm::is_contained({"tokens", "ast", "program", "bytecode"}, options.stage))
    return refuse("--stage is tokens, ast, program or bytecode, not '" + options.stage + "'");
  const std::pair<llvm::StringRef, const std::vector<std::string> &> kPairs[] = {
      {"-D takes NAME=VALUE", options.defines},
      {"-W takes SLUG=allow|warn|deny", options.verdicts},
      {"--in takes WINDOW=FILE.npy", options.inputs},
      {"--out takes WINDOW=FILE.npy", options.outputs}};
  for (const auto &[form, list] : kPairs)
    for (llvm::StringRef pair : list)
      if (!pair.contains('=') || pair.starts_with("="))
        return refuse(form + ", not '" + pair + "'");
  return llvm::Error::success();
}

/// A first word that is no command, before LLVM takes all that follows for unknown arguments as
/// well.
llvm::Error checkCommand(CommandLine &line, llvm::StringRef word) {
  std::string names;
  for (cl::SubCommand *command : line.commands()) {
    if (command->getName() == word)
      return llvm::Error::success();
    names += (names.empty() ? "" : ", ") + command->getName().str();
  }
  return refuse("there is no command '" + word + "'; there are " + names);
}

/// What LLVM's command line says, in the words of pto: one line, and where to look it up.
std::string reword(llvm::StringRef said, llvm::StringRef command) {
  llvm::StringRef first = said.split('\n').first.rtrim("! ");
  first.consume_front("pto: ");
  first = first.split(".  Try:").first;
  if (first.consume_front("Unknown command line argument"))
    return ("there is no option" + first + "; `pto" +
            (command.starts_with("-") ? "" : " " + command) + " --help` lists them")
        .str();
  if (first.consume_front("for the "))
    return (first.split(" option: ").first + ": " + first.split(" option: ").second).str();
  return first.str();
}
} // namespace

/// Has LLVM read the command line.
static llvm::Error readWords(CommandLine &line, int argc, char **argv, std::optional<Exit> &done) {
  llvm::StringRef command = argc > 1 ? argv[1] : "";
  if (!command.empty() && !command.starts_with("-") && !command.starts_with("@"))
    if (llvm::Error wrong = checkCommand(line, command))
      return wrong;
  std::vector<const char *> words(argv, argv + argc);
  words[0] = "pto"; // Help and errors speak of the command, not of where it lies.
  std::string said;
  llvm::raw_string_ostream errors(said);
  // With a stream for errors it returns instead of ending the process with LLVM's own exit code.
  if (cl::ParseCommandLineOptions(argc, words.data(), kOverview, &errors))
    return llvm::Error::success();
  if (!said.empty())
    return refuse(reword(said, command));
  done = Exit::Usage; // A missing value LLVM reports to stderr itself.
  return llvm::Error::success();
}

/// What the command line says, word for word.
static Options takeTexts(CommandLine &line) {
  Options options;
  for (cl::SubCommand *command : line.commands())
    if (*command)
      options.command = command->getName().str();
  options.files = line.files;
  options.target = line.target;
  options.topology = line.topology;
  options.host = line.host;
  options.filter = line.filter;
  options.inputs = line.in;
  options.outputs = line.out;
  options.trace = line.trace;
  options.junit = line.junit;
  options.noAudit = line.noAudit;
  options.stage = line.stage;
  options.function = line.function;
  options.stdlib = line.stdlib;
  options.defines = line.defines;
  options.verdicts = line.verdicts;
  options.baseline = line.baseline;
  options.writeBaseline = line.writeBaseline;
  options.fixes = line.fix;
  options.showsUnknowns = line.unknown;
  options.output = line.output;
  options.isCheck = line.checkOnly;
  for (const Text *format : {&line.format, &line.logFormat, &line.report})
    if (!format->empty())
      options.format = *format;
  return options;
}

llvm::Expected<Options> parseOptions(int argc, char **argv, std::optional<Exit> &done) {
  static CommandLine line;
  cl::SetVersionPrinter([](llvm::raw_ostream &out) { out << "pto " PTO_VERSION "\n"; });
  cl::HideUnrelatedOptions(line.ours);
  for (cl::SubCommand *command : line.commands())
    cl::HideUnrelatedOptions(line.ours, *command);
  if (llvm::Error wrong = readWords(line, argc, argv, done))
    return wrong;
  if (done)
    return Options();
  Options options = takeTexts(line);
  if (options.command.empty()) {
    cl::PrintHelpMessage();
    done = Exit::Usage;
    return options;
  }
  if (llvm::Error wrong = takeNumbers(line, options))
    return wrong;
  if (llvm::Error wrong = checkForms(line, options))
    return wrong;
  return options;
}

} // namespace pto
