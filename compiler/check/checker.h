//===- checker.h - what all bodies of a compilation share -------*- C++ -*-===//
//
// Private to the check room: the files' names, constants, objects, and the instances of functions.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_CHECKER_H
#define PTO_CHECK_CHECKER_H

#include "check/kernels.h"

#include "llvm/ADT/StringMap.h"

namespace pto::check_detail {

using namespace program;

/// What a name of a file stands for.
struct GlobalSymbol {
  enum class Kind : uint8_t { Const, Object, Fn, Kernel, Module };
  enum class State : uint8_t { Untouched, InProgress, Done };
  Kind kind;
  State state = State::Untouched;
  size_t unit = 0;
  const ast::Item *item = nullptr;
  Expr *constant = nullptr;   ///< Const
  uint32_t object = 0;        ///< Object
  Function *kernel = nullptr; ///< Kernel: its parameters are known once declared
  size_t module = 0;          ///< Module: the unit it names
  bool isUsed = false;        ///< Somebody asked for the name.
};

/// What the parameters of a generic function are in one instance.
struct Bindings {
  llvm::StringMap<ScalarType> types;
  llvm::StringMap<DmaEngine> engines; ///< of `session<E>`
  llvm::StringMap<Expr *> constants;
};

class Body;

/// `allow` or `violation` of a rule that does not exist.
void reportUnknownRule(const Sources &sources, Sink &sink, SourceRange at, llvm::StringRef slug);

class Checker {
public:
  Checker(llvm::ArrayRef<Unit> units, const CheckOptions &options, const Sources &sources,
          Sink &sink)
      : units(units), options(options), sources(sources), sink(sink),
        program(std::make_unique<Program>()), scopes(units.size()) {}

  void run();

  /// The symbol of a name in a file, or null.
  [[nodiscard]] GlobalSymbol *find(size_t unit, llvm::StringRef name);
  /// The folded value of a constant; computed at the first question, cycles are findings.
  [[nodiscard]] Expr *constant(GlobalSymbol &symbol);
  /// The instance of a function for these arguments. Null after a finding.
  [[nodiscard]] Function *instance(GlobalSymbol &symbol, llvm::ArrayRef<Expr *> args, Side side,
                                   SourceRange at);
  /// Compares the sizes that a parameter states with those of the view that it is given.
  void checkShapes(const ast::Param &param, const ViewFacts &declared, const Expr *arg);
  /// The characters that a string literal stands for, without quotes and escapes.
  [[nodiscard]] llvm::StringRef stringValue(const ast::StringLiteral &literal);
  /// The same for a text whose quotes the tree has taken off: titles, names of files.
  [[nodiscard]] llvm::StringRef unescape(llvm::StringRef from);

  llvm::ArrayRef<Unit> units;
  const CheckOptions &options;
  const Sources &sources;
  Sink &sink;
  std::unique_ptr<Program> program;
  std::vector<llvm::StringMap<GlobalSymbol>> scopes; ///< One a unit.

private:
  void declareAll();
  void declare(size_t unit, const ast::Item &item);
  void declareImports(size_t unit);
  void takeAllows(const ast::Item &item);
  void applyDefines();
  void checkObjects();
  void checkObject(GlobalSymbol &symbol);
  void declareKernels();
  void checkKernels();
  void checkEntries();
  void checkEntry(const ast::Item &item, llvm::StringRef name, llvm::ArrayRef<ast::Part *> settings,
                  const ast::Stmt *body, bool isTest);
  void checkUncalledFunctions();
  void adviseUnusedImports();
  void checkUncalledGeneric(GlobalSymbol &symbol);
  [[nodiscard]] Expr *bindSize(int64_t size);
  [[nodiscard]] std::optional<ScalarBits> parseDefine(ScalarType type, llvm::StringRef text);
  static bool alwaysReturns(llvm::ArrayRef<Stmt *> body);
  void bindGeneric(const ast::Generic &generic, const ast::TypeName &type, const Expr &arg,
                   Bindings &bindings);
  void takeResult(Body &body, const ast::FnItem &item, Function &function);
  [[nodiscard]] std::string addParams(Body &body, const ast::FnItem &item,
                                      llvm::ArrayRef<Expr *> args);
  [[nodiscard]] bool bindGenerics(const ast::FnItem &item, llvm::ArrayRef<Expr *> args,
                                  Bindings &bindings, SourceRange at);

  /// Items that are functions, in the order of the text, with their scope's symbol.
  std::vector<GlobalSymbol *> inOrder_;
  llvm::StringMap<Function *> instances_;
  std::vector<const ast::FnItem *> instancesInProgress_;
  llvm::StringMap<std::string> defines_;
};

} // namespace pto::check_detail

#endif
