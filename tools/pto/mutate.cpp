//===- mutate.cpp - `pto mutate`: how much a run of wrong programs says -----------===//

#include "pto/runner.h"

#include "diag/sink.h"

#include "llvm/ADT/STLExtras.h"

namespace pto {

namespace {
enum class Fate : uint8_t {
  Reported,   ///< A run found something.
  Equivalent, ///< Every run is clean and proved, or leaves open what the whole program does.
  NotReached, ///< No test comes there.
  Slipped,    ///< Clean in the schedules that were tried.
};

/// Mutants by what became of them.
struct Score {
  size_t of[4] = {};
  size_t &operator[](Fate fate) { return of[size_t(fate)]; }
  [[nodiscard]] size_t operator[](Fate fate) const { return of[size_t(fate)]; }
};

/// A test that is clean, with the places that it comes to.
struct Subject {
  std::string name;
  Proof proof; ///< With all its steps.
  std::vector<CodePlace> reached;
};

struct Outcome {
  Fate fate = Fate::NotReached;
  bool isProved = false; ///< By the test that was judged last.
  std::string why;
};

/// How a test is run.
struct Schedule {
  uint64_t seed = 0;
  int32_t lateRank = -1;
  bool keepsReached = false;
};

/// One file, compiled anew for every mutant.
class Mutations {
public:
  Mutations(const Options &options, std::string path) : options_(options), path_(std::move(path)) {}

  llvm::Error prepare();
  void judgeAll(Score &score);

private:
  [[nodiscard]] llvm::Expected<Compilation> compileInto(Sources &sources, Sink &sink,
                                                        std::optional<Mutant> mutant) const;
  [[nodiscard]] llvm::Expected<RunResult> runOnce(const Module &module, const Entry &entry,
                                                  const Schedule &schedule) const;
  [[nodiscard]] llvm::Error addSubject(const Module &module, const Entry &entry);
  [[nodiscard]] Outcome judge(const Mutant &mutant) const;
  void judgeTest(const Module &module, const Entry &entry, const Subject &subject,
                 Outcome &verdict) const;
  void judgeLate(const Module &module, const Entry &entry, Outcome &verdict) const;
  [[nodiscard]] const Entry *find(const Module &module, llvm::StringRef name) const;
  [[nodiscard]] bool reaches(const Subject &subject, const Place &place) const;

  const Options &options_;
  std::string path_;
  std::vector<Mutant> mutants_;
  std::vector<Place> places_; ///< Of mutants_.
  Module module_;             ///< Of the whole program.
  std::vector<Subject> subjects_;
};
} // namespace

llvm::Expected<Compilation> Mutations::compileInto(Sources &sources, Sink &sink,
                                                   std::optional<Mutant> mutant) const {
  llvm::Expected<CompileOptions> how = compileOptions(options_, true);
  if (!how)
    return how.takeError();
  how->refusesExpected = true;
  how->mutant = mutant;
  llvm::Expected<FileId> file = sources.open(path_);
  if (!file)
    return file.takeError();
  return compile(sources, *file, *how, sink);
}

llvm::Expected<RunResult> Mutations::runOnce(const Module &module, const Entry &entry,
                                             const Schedule &schedule) const {
  llvm::Expected<RunOptions> run = runOptions(entry, options_, path_);
  if (!run)
    return run.takeError();
  run->seed = schedule.seed;
  run->lateRank = schedule.lateRank;
  run->keepsReached = schedule.keepsReached;
  // A mutant may look for ever at what nobody changes.
  constexpr uint64_t kMostSteps = 20'000'000;
  run->maxSteps = std::min(run->maxSteps, kMostSteps);
  return pto::run(module, entry, *run, llvm::nulls());
}

llvm::Error Mutations::addSubject(const Module &module, const Entry &entry) {
  bool isMeant = entry.isTest && entry.expectedViolations.empty() &&
                 llvm::StringRef(entry.name).contains(options_.filter);
  if (!isMeant)
    return llvm::Error::success();
  llvm::Expected<RunResult> run =
      runOnce(module, entry, {.seed = entry.seed, .keepsReached = true});
  if (!run)
    return run.takeError();
  if (!run->findings.empty())
    llvm::outs() << path_ << ": test \"" << entry.name << "\" is not clean, so it is left out\n";
  else
    subjects_.push_back({entry.name, std::move(run->proof), std::move(run->reached)});
  return llvm::Error::success();
}

llvm::Error Mutations::prepare() {
  Sources sources;
  Sink sink(sources);
  llvm::Expected<Compilation> compiled = compileInto(sources, sink, std::nullopt);
  if (!compiled)
    return compiled.takeError();
  Compilation &compilation = *compiled;
  if (!compilation.isRunnable)
    return llvm::createStringError(std::make_error_code(std::errc::invalid_argument),
                                   "'" + path_ + "' does not compile; see `pto check`");
  module_ = std::move(compilation.module);
  mutants_ = mutantsOf(*compilation.program);
  for (const Mutant &mutant : mutants_)
    places_.push_back(sink.place(mutant.at));
  for (const Entry &entry : module_.entries)
    if (llvm::Error failed = addSubject(module_, entry))
      return failed;
  return llvm::Error::success();
}

bool Mutations::reaches(const Subject &subject, const Place &place) const {
  return llvm::any_of(subject.reached, [&](const CodePlace &at) {
    return at.line == place.line && at.file < module_.files.size() &&
           module_.files[at.file] == place.file && at.column >= place.column &&
           at.column < place.column + place.length;
  });
}

/// Whether a run leaves open no more than another one does.
static bool opensNoMore(const Proof &run, const Proof &than) {
  return run.more <= than.more && llvm::all_of(run.pairs, [&](const OpenPair &pair) {
           return llvm::any_of(than.pairs,
                               [&](const OpenPair &other) { return other.text == pair.text; });
         });
}

/// Runs a mutated test under some seeds, until one says something.
void Mutations::judgeTest(const Module &module, const Entry &entry, const Subject &subject,
                          Outcome &verdict) const {
  for (uint64_t seed = entry.seed; seed != entry.seed + options_.seeds; ++seed) {
    llvm::Expected<RunResult> run = runOnce(module, entry, {.seed = seed});
    if (!run) {
      verdict = {Fate::Slipped, false, llvm::toString(run.takeError())};
      return;
    }
    if (!run->findings.empty()) {
      verdict = {Fate::Reported, false, info(run->findings.front().rule).slug.str()};
      return;
    }
    verdict.isProved = run->isAudited && run->proof.holds();
    if (verdict.isProved || (run->isAudited && opensNoMore(run->proof, subject.proof))) {
      if (verdict.fate == Fate::NotReached)
        verdict = {Fate::Equivalent, verdict.isProved,
                   verdict.isProved ? "proved for all schedules without it"
                                    : "clean without it, and no more is open than with it"};
      if (verdict.isProved)
        return;
      continue;
    }
    verdict = {Fate::Slipped, false,
               "clean in the schedules that were tried; open: " + run->proof.pairs.front().text};
  }
}

const Entry *Mutations::find(const Module &module, llvm::StringRef name) const {
  auto found = llvm::find_if(
      module.entries, [&](const Entry &entry) { return entry.isTest && entry.name == name; });
  return found == module.entries.end() ? nullptr : &*found;
}

/// Makes one rank after the other late: the hosts of a test go from statement to statement
/// together, so seeds alone do not show what a missing barrier of theirs would have ordered. Only
/// what the whole program bears counts.
void Mutations::judgeLate(const Module &module, const Entry &entry, Outcome &verdict) const {
  constexpr int32_t kMostLate = 8;
  for (int32_t rank = 0; rank != kMostLate; ++rank) {
    Schedule late{.seed = entry.seed, .lateRank = rank};
    llvm::Expected<RunResult> run = runOnce(module, entry, late);
    if (!run) {
      llvm::consumeError(run.takeError()); // There is no such rank.
      return;
    }
    if (run->findings.empty())
      continue;
    llvm::Expected<RunResult> whole = runOnce(module_, *find(module_, entry.name), late);
    if (!whole) {
      llvm::consumeError(whole.takeError());
      return;
    }
    if (!whole->findings.empty())
      continue;
    verdict = {
        Fate::Reported, false,
        (info(run->findings.front().rule).slug + " where rank " + llvm::Twine(rank) + " is late")
            .str()};
    return;
  }
}

Outcome Mutations::judge(const Mutant &mutant) const {
  Outcome verdict;
  const Place &place = places_[size_t(&mutant - mutants_.data())];
  std::optional<Compilation> mutated;
  for (const Subject &subject : subjects_) {
    if (!reaches(subject, place))
      continue;
    if (!mutated) {
      Sources sources;
      Sink sink(sources);
      llvm::Expected<Compilation> compilation = compileInto(sources, sink, mutant);
      if (!compilation)
        return {Fate::Slipped, false, llvm::toString(compilation.takeError())};
      mutated = std::move(*compilation);
    }
    if (const Entry *entry = find(mutated->module, subject.name)) {
      judgeTest(mutated->module, *entry, subject, verdict);
      if (!verdict.isProved && verdict.fate != Fate::Reported)
        judgeLate(mutated->module, *entry, verdict);
    }
    if (verdict.fate == Fate::Reported)
      return verdict;
  }
  return verdict;
}

void Mutations::judgeAll(Score &score) {
  static constexpr llvm::StringLiteral kWords[] = {"reported", "equivalent", "not reached",
                                                   "SLIPPED"};
  for (size_t i = 0; i != mutants_.size(); ++i) {
    Outcome verdict = judge(mutants_[i]);
    ++score[verdict.fate];
    const Place &place = places_[i];
    llvm::outs() << place.file << ':' << place.line << ':' << place.column << ": "
                 << text(mutants_[i].mutation) << ": " << kWords[size_t(verdict.fate)];
    if (!verdict.why.empty())
      llvm::outs() << ", " << verdict.why;
    llvm::outs() << '\n';
  }
}

static void writeScore(const Score &score) {
  size_t reported = score[Fate::Reported], slipped = score[Fate::Slipped];
  size_t all = reported + slipped + score[Fate::Equivalent] + score[Fate::NotReached];
  llvm::outs() << all << " mutants: " << reported << " reported, " << score[Fate::Equivalent]
               << " equivalent, " << score[Fate::NotReached] << " not reached, " << slipped
               << " slipped; score ";
  if (reported + slipped == 0)
    llvm::outs() << "none\n";
  else
    llvm::outs() << llvm::format("%.1f", 100.0 * double(reported) / double(reported + slipped))
                 << " %\n";
}

Exit mutateCommand(const Options &options) {
  if (options.files.empty())
    return fail(options, "`pto mutate` needs a file or folder");
  std::vector<std::string> files;
  for (const std::string &path : options.files)
    if (llvm::Error failed = collectPrograms(path, files))
      return fail(options, std::move(failed));
  Score score;
  for (const std::string &file : files) {
    Mutations mutations(options, file);
    if (llvm::Error failed = mutations.prepare()) {
      llvm::outs() << "left out: " << llvm::toString(std::move(failed)) << '\n';
      continue;
    }
    mutations.judgeAll(score);
  }
  writeScore(score);
  return Exit::Fine;
}

} // namespace pto
