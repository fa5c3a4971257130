//===- body.h - checks one function's body ----------------------*- C++ -*-===//
//
// Private to the check room. One object checks one body (or one constant expression); its methods
// stand in a file per family: expressions, operators, views, calls, intrinsics, statements, host.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_CHECK_BODY_H
#define PTO_CHECK_BODY_H

#include "check/checker.h"

#include "llvm/ADT/DenseMap.h"

namespace pto::check_detail {

/// A type as written, with the sizes that were given.
struct TypeAndFacts {
  Type type;
  ViewFacts facts;
};

/// The enumeration of the ISA that a written type names. A parameter of such a type has no
/// register: the function is an instance for the enumerator that a call gives.
[[nodiscard]] std::optional<IsaEnum> enumOf(const ast::Type *written);

/// Chunks that do not divide; said when the body is complete, since the repair depends on what else
/// it does with the tiles.
struct UnevenChunks {
  const Expr *call;
  const Expr *tile;
  std::string sizes; ///< Of the tile, as a person reads them.
  llvm::StringRef what;
  int64_t count;
  bool isTail; ///< Some chunks are whole, so that only the last one is to shrink.
};

/// The names that a fill or an expectation runs over, and how far.
struct Indices {
  llvm::SmallVector<Variable *, 4> variables;
  llvm::SmallVector<Expr *, 4> extents;
};

class Body {
  friend class Hole;

public:
  Body(Checker &checker, size_t unit, Function *function, Side side,
       const Bindings *bindings = nullptr);

  /// Checks the statements of a function and fills it in.
  void checkFunction(const ast::Stmt *body);
  Variable *addParam(llvm::StringRef name, const TypeAndFacts &type, SourceRange range);

  //===--- Expressions (expressions.cpp, operators.cpp) ---===//
  /// Never null. `want` is the type that a literal should take, if one is known.
  Expr *check(const ast::Expr *expr);
  /// Checks and converts a literal; another type than `want` is a finding about `what`.
  Expr *checkAs(const ast::Expr *expr, const Type &want);
  /// Gives a literal the wanted type; reports what does not agree.
  void adviseLoad(Finding &finding, const Expr &element, const Type &want) const;
  void adviseVar(Finding &finding, const Variable &variable) const;
  /// `isSure`: the wanted type is stated, so that a repair is to convert to it.
  Expr *coerce(Expr *expr, const Type &want, bool isSure = true);
  void adviseConversion(Finding &finding, const Expr &expr, ScalarType want) const;
  /// A constant expression of an integer type; `what` is for the message.
  std::optional<int64_t> checkConstantInteger(const ast::Expr *expr, llvm::StringRef what);
  /// Whether it is an integer; reports what is not. A literal keeps the type that it has.
  bool requireInteger(Expr *expr);

  //===--- Types (types.cpp) ---===//
  TypeAndFacts resolve(const ast::Type *type);

  Symbols symbols;
  SymbolId ranksSymbol;
  /// Of an instance of a function of the library: the call, which stands for all places of the
  /// body, so that whatever is said of it, before a run or in it, names the user's own line.
  std::optional<SourceRange> calledAt;
  llvm::StringMap<std::pair<IsaEnum, uint8_t>> enumerators; ///< Parameters that are enumerators.

private:
  friend class Transfers;
  friend class TileMoves;
  friend class Collectives;

  void resolveShape(const ast::TypeName &name, ViewFacts &facts);
  std::optional<Type> resolveHandle(const ast::TypeName &name);
  std::optional<ScalarType> resolveElement(const ast::TypeName &name);
  [[nodiscard]] std::optional<ScalarType> elementTypeOf(llvm::StringRef name) const;

  //===--- Making nodes ---===//
  Expr *make(ExprKind kind, const Type &type, SourceRange range);
  Expr *error(SourceRange range) { return make(ExprKind::Error, Type::error(), range); }
  Expr *constant(ScalarType type, ScalarBits bits, SourceRange range);
  Stmt *make(StmtKind kind, SourceRange range);
  llvm::ArrayRef<Expr *> list(std::initializer_list<Expr *> exprs);
  ViewFacts *newFacts(const ViewFacts &from = {}) { return program_.make<ViewFacts>(from); }
  /// Where a name of the tree stands: names are slices of the source.
  [[nodiscard]] SourceRange rangeOf(llvm::StringRef name, SourceRange around) const;
  Variable *define(llvm::StringRef name, const Type &type, bool isMutable, SourceRange range);

  //===--- expressions.cpp ---===//
  Expr *checkInteger(const ast::IntegerLiteral &literal);
  Expr *checkFloat(const ast::FloatLiteral &literal);
  Expr *checkName(const ast::NameExpr &name);
  Expr *checkMember(const ast::MemberExpr &member);
  Expr *globalValue(GlobalSymbol &symbol, SourceRange range);
  Expr *read(Variable *variable, SourceRange range);
  std::optional<WorldValue> worldValue(llvm::StringRef name) const;
  void reportUnknown(llvm::StringRef name, SourceRange range);
  [[nodiscard]] Variable *findVariable(llvm::StringRef name) const;

  //===--- operators.cpp ---===//
  Expr *checkUnary(const ast::UnaryExpr &unary);
  Expr *checkBinary(const ast::BinaryExpr &binary);
  Expr *compareEnumerators(const ast::BinaryExpr &binary);
  [[nodiscard]] bool isChosenByEnumerator(const ast::Expr *condition) const;
  Expr *makeBinary(BinaryOp op, Expr *left, Expr *right, SourceRange range);
  bool unify(BinaryOp op, Expr *left, Expr *right, SourceRange range);
  Expr *fold(Expr *binary);
  Affine valueOf(BinaryOp op, const Affine &left, const Affine &right);
  Affine opaque() { return Affine::symbol(symbols.fresh()); }
  Affine product(const Affine &left, const Affine &right);

  //===--- views.cpp ---===//
  Expr *checkSubscript(const ast::SubscriptExpr &subscript);
  Expr *checkAt(const ast::AtExpr &at);
  Expr *indexDimension(Expr *view, unsigned dimension, Expr *index);
  Expr *sliceDimension(Expr *view, unsigned dimension, const ast::Slice &slice);
  Expr *reshape(Expr *view, const ast::SubscriptExpr &subscript);
  void setContiguous(ViewFacts &facts);
  Expr *checkViewCall(const ast::CallExpr &call);
  Expr *makeStrided(Expr *view, Expr *offset, const ast::ListExpr &sizes,
                    const ast::ListExpr &strides, SourceRange range);
  void checkInside(const Affine &index, const Affine &size, SourceRange at, bool mayBeEnd);
  Expr *sizeOrExtent(Expr *view, unsigned dimension, SourceRange range);

  //===--- calls.cpp ---===//
  Expr *checkCall(const ast::CallExpr &call);
  Expr *checkConversion(ScalarType type, const ast::CallExpr &call);
  Expr *checkHash(const ast::CallExpr &call);
  Expr *checkArgument(const GlobalSymbol &symbol, const ast::Param &param,
                      const ast::Expr *written);
  Expr *checkDefault(const GlobalSymbol &symbol, const ast::Expr *value);
  Expr *callFunction(GlobalSymbol &symbol, const ast::CallExpr &call);
  GlobalSymbol *calleeSymbol(const ast::Expr *callee);
  std::optional<Intrinsic> offeredIntrinsic(const ast::Expr *callee);
  /// Orders arguments by parameters; null where one is left out. False after a finding.
  bool bindArguments(llvm::ArrayRef<ast::Part *> arguments, llvm::ArrayRef<llvm::StringRef> names,
                     llvm::StringRef callee, SourceRange at,
                     llvm::SmallVectorImpl<const ast::Expr *> &bound);
  /// The expressions that the parameters get: what is given, else the default. Empty after a
  /// finding.
  std::optional<std::vector<const ast::Expr *>>
  completeArguments(llvm::ArrayRef<ast::Part *> params, llvm::ArrayRef<ast::Part *> arguments,
                    llvm::StringRef callee, SourceRange declared, SourceRange at);

  //===--- formatted.cpp ---===//
  Stmt *checkFormatted(const ast::CallExpr &call, bool isAssert);
  bool takeFormatArgument(const ast::Expr &written, bool isAssert, Stmt *stmt,
                          llvm::SmallVectorImpl<Expr *> &ops);

  //===--- chunks.cpp ---===//
  void reportUnevenChunks();
  void adviseRegions(Finding &finding, llvm::ArrayRef<const Variable *> tiles) const;

  //===--- intrinsics.cpp, sessions.cpp, transfers.cpp, tile_moves.cpp, collectives.cpp ---===//
  Expr *checkIntrinsic(Intrinsic intrinsic, const ast::CallExpr &call);
  bool mayStandHere(Intrinsic intrinsic, SourceRange range);
  bool checkOperands(Intrinsic intrinsic, const ast::CallExpr &call,
                     llvm::SmallVectorImpl<Expr *> &ops);
  Expr *checkOperand(Intrinsic intrinsic, const ParamInfo &param, const ast::Expr *written);
  bool coerceElements(const IntrinsicInfo &row, llvm::MutableArrayRef<Expr *> ops);
  Expr *checkValue(Intrinsic intrinsic, const ParamInfo &param, Expr *operand);
  Expr *checkViewOperand(Intrinsic intrinsic, const ParamInfo &param, Expr *operand);
  Expr *checkSignalOperand(Intrinsic intrinsic, const ParamInfo &param, Expr *operand);
  Expr *checkEnumerator(IsaEnum which, const ast::Expr *written);
  Expr *enumerator(IsaEnum which, uint8_t number, SourceRange range);
  Expr *checkElementType(const ParamInfo &param, const ast::Expr *written);
  void checkAmo(const Expr *call);
  Expr *checkSession(const ast::SessionExpr &session);
  bool checkSessionOperands(DmaEngine engine, const ast::SessionExpr &session,
                            llvm::SmallVectorImpl<Expr *> &ops);
  void checkScratch(DmaEngine engine, const Expr *scratch);
  void checkSessionNumbers(llvm::ArrayRef<Expr *> ops);
  void checkTransfer(Expr *call);
  void checkTileOp(Expr *call);
  void checkTileMoves(Expr *call);
  void checkCollective(Expr *call);

  //===--- hixl.cpp, texts.cpp ---===//
  Expr *callHixl(const ast::CallExpr &call, bool &isHixl);
  Expr *checkHixlOperand(Intrinsic intrinsic, const ParamInfo &param, const ast::Expr *written);
  Expr *checkHixlHandle(Intrinsic intrinsic, const ParamInfo &param, const ast::Expr *written);
  Expr *checkHixlName(const ParamInfo &param, const ast::Expr *written);
  Expr *checkPairs(const ast::Expr *written);
  Expr *checkPairsOver(const ast::ListOverExpr &list);
  bool checkPair(const ast::Expr *written, llvm::SmallVectorImpl<Expr *> &ops);
  bool sameBytes(const Expr &local, const Expr &remote, SourceRange range);
  Expr *checkText(const ast::Expr *written, bool hasHoles);
  Expr *checkTextMap(const ast::Expr *written);
  /// Both sides of a comparison: an answer or a handle of HIXL says what a bare name beside it is.
  std::pair<Expr *, Expr *> checkSides(const ast::Expr *left, const ast::Expr *right);
  Expr *checkBeside(const ast::Expr *written, const Expr &other);
  Expr *hixlValue(const Type &type, const ast::NameExpr &name);
  Expr *hixlConstant(const Type &type, ScalarBits bits, SourceRange range);
  [[nodiscard]] bool isBareName(const ast::Expr *written) const;

  //===--- groups.cpp ---===//
  Expr *checkGroup(const ast::CallExpr &call);
  Expr *checkGroupPart(const ast::Expr *written);
  bool checkMembers(const ast::Expr *written, llvm::SmallVectorImpl<Expr *> &ops);
  void checkRoot(const Expr *root, const Affine &size, SourceRange at);
  void checkSynchronisation(Expr *call);
  void checkFlag(const Expr *call);
  void checkSetValid(const Expr *call);
  void checkEmptyWait(const Expr *call);
  void checkSessionUse(const Expr *call, const Expr *session);

  //===--- statements.cpp ---===//
  llvm::ArrayRef<Stmt *> checkBlock(const ast::Stmt *block);
  void checkStatement(const ast::Stmt &stmt, llvm::SmallVectorImpl<Stmt *> &out);
  Stmt *checkControl(const ast::Stmt &stmt);
  Stmt *checkHostStatement(const ast::Stmt &stmt);
  void checkLet(const ast::LetStmt &let, llvm::SmallVectorImpl<Stmt *> &out);
  void checkElse(const ast::LetStmt &let, const Expr &value, Stmt *stmt);
  void takeFacts(Variable *variable, const Expr &value);
  void checkTile(const ast::TileStmt &tile, llvm::SmallVectorImpl<Stmt *> &out);
  bool checkTileSize(const ast::TileStmt &tile, const TypeAndFacts &written, Stmt *stmt);
  void checkTilePlace(const ast::TileStmt &tile, Stmt *stmt);
  void checkValid(llvm::ArrayRef<Expr *> sizes, int64_t rows, int64_t cols, SourceRange at);
  void checkAssign(const ast::AssignStmt &assign, llvm::SmallVectorImpl<Stmt *> &out);
  void checkExprStmt(const ast::ExprStmt &stmt, llvm::SmallVectorImpl<Stmt *> &out);
  Stmt *checkIf(const ast::IfStmt &stmt);
  Stmt *checkFor(const ast::ForStmt &stmt);
  Stmt *checkLoop(const ast::Expr *condition, const ast::Stmt *body, SourceRange range);
  Stmt *checkReturn(const ast::ReturnStmt &stmt);
  Stmt *checkJump(StmtKind kind, SourceRange range);
  void checkAfter(llvm::ArrayRef<ast::Expr *> after, llvm::SmallVectorImpl<Stmt *> &out);
  void checkFrom(const ast::Expr *from, Expr *operation);
  void requireHost(llvm::StringRef what, SourceRange range);

  //===--- host.cpp ---===//
  Stmt *checkFill(const ast::FillStmt &fill);
  Stmt *checkFillFile(const ast::FillStmt &fill, const GlobalSymbol &symbol);
  Expr *fillElement(const ast::FillStmt &fill, Expr *view, Indices &indices);
  bool isFreeName(const ast::Expr *expr) const;
  Stmt *checkSave(const ast::SaveStmt &save);
  void requireDevice(const Expr &view);
  Stmt *checkLaunch(const ast::LaunchStmt &launch);
  Stmt *checkExpect(const ast::ExpectStmt &expect);
  void bindIndices(const ast::Expr *expr, Indices &indices);
  Expr *everyElement(Expr *view, Indices &indices);
  void setIndices(Stmt *stmt, const Indices &indices);
  GlobalSymbol *findQualified(llvm::StringRef name);
  GlobalSymbol *objectByName(llvm::StringRef name, SourceRange range);
  void addExpectedViolation(const ast::ExpectViolationStmt &stmt);
  /// In an expectation an element stands for its value.
  Expr *loadElement(Expr *view);

  Checker &checker_;
  Program &program_;
  Sink &sink_;
  size_t unit_;
  Function *function_; ///< Null in a constant expression.
  Side side_;
  const Bindings *bindings_;
  std::vector<llvm::StringMap<Variable *>> scopes_;
  unsigned loops_ = 0;
  llvm::DenseMap<const Variable *, const ast::TileStmt *> tiles_; ///< Looked up, never walked.
  std::vector<UnevenChunks> unevenChunks_;

public:
  std::vector<uint16_t> expectedViolations; ///< Collected from `expect violation(slug)`.
};

} // namespace pto::check_detail

#endif
