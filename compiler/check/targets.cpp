#include "check/targets.h"

#include "base/tile_op.h"
#include "program/walk.h"
#include "target/types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace pto::check_detail {

using namespace program;

namespace {

/// What the rest of this file asks of a function, gathered once.
struct Needs {
  llvm::SmallVector<const Expr *, 2> sessions;
  llvm::SmallVector<const Expr *, 4> tileOps;   ///< Arithmetic on tiles.
  llvm::SmallVector<const Expr *, 2> additions; ///< What takes some element types only.
  llvm::SmallVector<const Expr *, 2> routed;    ///< Calls of SHMEM that a transport carries.
  llvm::SmallVector<const Expr *, 2>
      tallMoves;                             ///< Through tiles of more rows than some move takes.
  llvm::SetVector<const Function *> callees; ///< Calls and launches, in the order of the text.
  int64_t tileBytes = 0;                     ///< Tiles that are placed automatically.
  int64_t fixedEnd = 0;                      ///< The end of the farthest tile with an offset.
};

/// By what an atomic operation may go.
Transports routeOf(const Expr &expr) {
  int route = info(expr.intrinsic).param("route");
  const Expr *given = route < 0 ? nullptr : expr.ops[size_t(route)];
  return info(given ? Route(given->bits) : Route::ByMTE).all();
}

/// What an instruction does with its elements that not every target does with every type.
std::optional<TypeUse> useOf(const Expr &expr) {
  if (expr.kind != ExprKind::Intrinsic)
    return std::nullopt;
  if (expr.intrinsic == Intrinsic::Treduce)
    return TypeUse::Reduce;
  if (expr.intrinsic == Intrinsic::SetAtomicAdd)
    return TypeUse::AtomicMode;
  if (int op = info(expr.intrinsic).param("op"); op >= 0 && expr.intrinsic == Intrinsic::Amo)
    return useOf(AmoOp(expr.ops[size_t(op)]->bits), false);
  else if (op >= 0 && expr.intrinsic == Intrinsic::AmoFetch)
    return useOf(AmoOp(expr.ops[size_t(op)]->bits), true);
  else if (expr.intrinsic == Intrinsic::EngineAmo && !routeOf(expr).contains(Transport::MTE))
    return useOf(AmoOp(expr.ops[size_t(op)]->bits), false); // Else `amo` stands beside it.
  int atomic = info(expr.intrinsic).param("atomic");
  bool adds = atomic >= 0 && expr.ops[size_t(atomic)] &&
              AtomicType(expr.ops[size_t(atomic)]->bits) == AtomicType::AtomicAdd;
  return adds ? std::optional(TypeUse::AtomicStore) : std::nullopt;
}

/// The type of the elements that an instruction moves.
ScalarType elementOf(const Expr &expr) {
  for (const Expr *op : expr.ops)
    if (op && (op->type.isView() || (op->kind == ExprKind::EnumValue && op->type.isScalar())))
      return op->type.scalar;
  return ScalarType::I32;
}

/// Whether the use is one of SHMEM, whose rule names what the target takes.
bool isOfShmem(TypeUse use) { return use >= TypeUse::AtomicMode; }

/// "amo Add", "set_atomic_add"
std::string operationText(const Expr &expr) {
  int op = info(expr.intrinsic).param("op");
  std::string text = info(expr.intrinsic).name.str();
  return op < 0 ? text : text + " " + name(AmoOp(expr.ops[size_t(op)]->bits)).str();
}

/// The rows of the tallest tile that a load or a store moves; 0 for anything else.
int64_t movedRows(const Expr &expr) {
  if (expr.kind != ExprKind::Intrinsic)
    return 0;
  PipeUse use = info(expr.intrinsic).pipe;
  int64_t most = 0;
  if (use == PipeUse::Load || use == PipeUse::Store || use == PipeUse::Staged ||
      use == PipeUse::Reduce)
    for (const Expr *op : expr.ops)
      if (op && op->type.kind == TypeKind::Tile && op->facts->shape.size() == 2)
        most = std::max(most, op->facts->shape[0].constant().value_or(0));
  return most;
}

/// The platforms that do not move so many rows at a time.
llvm::SmallVector<Platform, 4> platformsRefusing(int64_t rows) {
  llvm::SmallVector<Platform, 4> refusing;
  for (size_t i = 0; i != platforms().size(); ++i)
    if (int64_t most = trait(Platform(i), Trait::MaxTileRows); most != 0 && rows > most)
      refusing.push_back(Platform(i));
  return refusing;
}

Needs needsOf(const Function &function) {
  Needs needs;
  walk(
      function,
      [&](const Expr &expr) {
        if (expr.kind == ExprKind::Session)
          needs.sessions.push_back(&expr);
        if (expr.kind == ExprKind::Intrinsic && tileOpByName(info(expr.intrinsic).name))
          needs.tileOps.push_back(&expr);
        if (expr.kind == ExprKind::Call)
          needs.callees.insert(expr.function);
        if (useOf(expr))
          needs.additions.push_back(&expr);
        if (expr.kind == ExprKind::Intrinsic && info(expr.intrinsic).param("route") >= 0)
          needs.routed.push_back(&expr);
        if (!platformsRefusing(movedRows(expr)).empty())
          needs.tallMoves.push_back(&expr);
      },
      [&](const Stmt &stmt) {
        if (stmt.kind == StmtKind::Launch && stmt.function)
          needs.callees.insert(stmt.function);
        if (stmt.kind != StmtKind::Tile || stmt.variable->type.isError())
          return;
        int64_t row = int64_t(
            llvm::alignTo(uint64_t(stmt.cols * info(stmt.variable->type.scalar).bytes()), 32));
        if (stmt.value)
          needs.fixedEnd = std::max(needs.fixedEnd, int64_t(stmt.value->bits) + row * stmt.rows);
        else
          needs.tileBytes += row * stmt.rows;
      });
  return needs;
}

class TargetCheck {
public:
  TargetCheck(const Program &program, Sink &sink) : program_(program), sink_(sink) {
    for (const auto &function : program.functions)
      needs_.try_emplace(function.get(), needsOf(*function));
    for (const Entry &entry : program.entries)
      needs_.try_emplace(entry.function, needsOf(*entry.function));
  }

  void run(const std::optional<Target> &given, bool isDefault) {
    llvm::DenseSet<const Function *> covered;
    for (const Entry &entry : program_.entries) {
      llvm::SetVector<const Function *> reached = reachedFrom(entry.function);
      std::optional<Target> target = given;
      if (!entry.target.empty()) {
        llvm::Expected<Target> parsed = parseTarget(entry.target);
        if (!parsed) {
          sink_.report<Rule::BadSetting>(entry.targetRange, llvm::toString(parsed.takeError()));
          continue;
        }
        target = *parsed;
      }
      if (!target)
        continue;
      for (const Function *function : reached) {
        covered.insert(function);
        check(*function, *target);
        checkUrmaWindows(*function, *target, std::max(entry.ranks, 1));
      }
    }
    for (const auto &function : program_.functions) {
      if (covered.contains(function.get()))
        continue;
      if (isDefault)
        continue;
      if (given)
        check(*function, *given);
      else
        noteRefusals(*function);
    }
  }

private:
  llvm::SetVector<const Function *> reachedFrom(const Function *root) {
    llvm::SetVector<const Function *> reached;
    reached.insert(root);
    for (size_t i = 0; i != reached.size(); ++i)
      for (const Function *callee : needs_[reached[i]].callees)
        reached.insert(callee);
    return reached;
  }

  void check(const Function &function, const Target &target) {
    for (const Expr *session : needs_[&function].sessions) {
      std::string why;
      if (!engineOn(target, session->type.engine, &why))
        sink_.report<Rule::EngineNotOnTarget>(session->range, name(session->type.engine),
                                              target.text(), why);
    }
    for (const Expr *expr : needs_[&function].additions)
      checkTypes(*expr, target.platform);
    for (const Expr *move : needs_[&function].tallMoves)
      if (llvm::is_contained(platformsRefusing(movedRows(*move)), target.platform))
        reportRows(*move, info(target.platform).name, target.platform);
    for (const Expr *call : needs_[&function].routed)
      checkTransport(*call, target.platform, sink_);
    for (const Expr *call : needs_[&function].tileOps)
      if (auto refusal = refusalOf(*call, target.platform))
        sink_.report<Rule::DtypeNotOnTarget>(call->range, info(call->intrinsic).name,
                                             refusal->wanted, target.text(), refusal->taken);
    if (function.kind != FunctionKind::Kernel)
      return;
    int64_t bytes = ubBytes(function), room = info(target.platform).ubBytes;
    if (bytes > room)
      sink_.report<Rule::UbOverflow>(function.range, function.name, bytes,
                                     info(target.platform).name, room);
  }

  void checkTypes(const Expr &expr, Platform platform) {
    ScalarType element = elementOf(expr);
    ElementTypes types = typesFor(platform, *useOf(expr), routeOf(expr));
    if (types.contains(element) || lacksTransport(expr, platform))
      return;
    if (isOfShmem(*useOf(expr)))
      sink_.report<Rule::AmoDtype>(expr.range, operationText(expr), info(element).name,
                                   info(platform).name, types.text());
    else if (*useOf(expr) == TypeUse::Reduce)
      sink_.report<Rule::ReduceDtype>(expr.range, info(element).name, info(platform).name,
                                      types.text());
    else if (isTakenSomewhere(*useOf(expr), element)) // Else it is refused for all targets.
      sink_.report<Rule::AtomicAddDtype>(expr.range, info(element).name);
  }

  Finding &reportRows(const Expr &move, llvm::StringRef where, Platform platform) {
    return sink_.report<Rule::TileRowsTooMany>(move.range, info(move.intrinsic).name,
                                               movedRows(move), where,
                                               trait(platform, Trait::MaxTileRows));
  }

  /// Without a target: a note where some refuse the rows, an error where all do.
  void noteRows(const Expr &move) {
    llvm::SmallVector<Platform, 4> refusing = platformsRefusing(movedRows(move));
    llvm::SmallVector<std::string, 4> names;
    for (Platform platform : refusing)
      names.push_back(info(platform).name.str());
    Finding &finding = reportRows(move, llvm::join(names, " and "), refusing.front());
    if (refusing.size() != platforms().size())
      sink_.lower(finding, Severity::Note);
  }

  static bool isTakenSomewhere(TypeUse use, ScalarType type) {
    for (size_t i = 0; i != platforms().size(); ++i)
      if (typesFor(Platform(i), use).contains(type))
        return true;
    return false;
  }

  static std::optional<TypeRefusal> refusalOf(const Expr &call, Platform platform) {
    TileOp op = *tileOpByName(info(call.intrinsic).name);
    ScalarType from = ScalarType::F32;
    if (info(op).form == TileForm::Convert)
      from = call.ops[1]->type.scalar;
    return pto::refusalOf(platform, op, call.ops[0]->type.scalar, from);
  }

  /// Without a target: a note where some refuse the types, an error where all do.
  void noteTypes(const Expr &call) {
    llvm::SmallVector<std::string, 4> refusing;
    TypeRefusal last;
    for (size_t i = 0; i != platforms().size(); ++i)
      if (auto refusal = refusalOf(call, Platform(i))) {
        refusing.push_back(platforms()[i].name.str());
        last = *refusal;
      }
    if (refusing.empty())
      return;
    bool isEverywhere = refusing.size() == platforms().size();
    Finding &finding = sink_.report<Rule::DtypeNotOnTarget>(
        call.range, info(call.intrinsic).name, last.wanted,
        isEverywhere ? "any target" : llvm::join(refusing, " and "), last.taken);
    if (!isEverywhere)
      sink_.lower(finding, Severity::Note);
  }

  /// The same for atomic operations.
  void noteAtomics(const Expr &expr) {
    TypeUse use = *useOf(expr);
    llvm::SmallVector<std::string, 4> refusing;
    ElementTypes taken;
    for (size_t i = 0; isOfShmem(use) && i != platforms().size(); ++i)
      if (ElementTypes types = typesFor(Platform(i), use, routeOf(expr));
          types.contains(elementOf(expr)))
        taken = types;
      else
        refusing.push_back(platforms()[i].name.str());
    bool isEverywhere = refusing.size() == platforms().size();
    if (isEverywhere)
      sink_.report<Rule::AmoDtype>(expr.range, operationText(expr), info(elementOf(expr)).name,
                                   "any target", taken.text());
  }

  /// URMA registers all windows of a rank as one region; of an unknown number of ranks there is
  /// one.
  void checkUrmaWindows(const Function &function, const Target &target, int64_t ranks) {
    const Object *largest = nullptr;
    int64_t total = info(target.platform).windowHeadBytes, most = 0;
    for (const Object &object : program_.objects) {
      int64_t bytes = info(object.type.scalar).bytes();
      for (const ObjectExtent &extent : object.shape)
        if (__builtin_mul_overflow(bytes, extent.perRank * ranks + extent.fixed, &bytes))
          return; // The layout will refuse it.
      if (object.isLocal || __builtin_add_overflow(total, bytes, &total))
        continue;
      largest = bytes > most ? &object : largest;
      most = std::max(most, bytes);
    }
    if (total <= limit(Limit::UrmaMaxWindowBytes) || !largest)
      return;
    for (const Expr *session : needs_[&function].sessions) {
      if (session->type.engine != DmaEngine::URMA)
        continue;
      Finding &finding = sink_.report<Rule::UrmaWindowTooLarge>(session->range, total,
                                                                limit(Limit::UrmaMaxWindowBytes));
      sink_.note(finding, largest->range, "the largest window");
    }
  }

  /// UB of a function and of the deepest chain of its callees; there is no recursion.
  int64_t ubBytes(const Function &function) {
    auto [entry, isNew] = ubBytes_.try_emplace(&function, 0);
    if (!isNew)
      return entry->second;
    const Needs &needs = needs_[&function];
    int64_t deepest = 0;
    for (const Function *callee : needs.callees)
      deepest = std::max(deepest, ubBytes(*callee));
    int64_t bytes = std::max(needs.tileBytes + deepest, needs.fixedEnd);
    ubBytes_[&function] = bytes;
    return bytes;
  }

  void noteRefusals(const Function &function) {
    const PlatformInfo *largest = &platforms().front();
    for (const PlatformInfo &platform : platforms())
      if (platform.ubBytes > largest->ubBytes)
        largest = &platform;
    if (int64_t bytes = ubBytes(function); bytes > largest->ubBytes)
      sink_.report<Rule::UbOverflow>(function.range, function.name, bytes,
                                     ("the largest target, " + largest->name + ",").str(),
                                     largest->ubBytes);
    for (const Expr *move : needs_[&function].tallMoves)
      noteRows(*move);
    for (const Expr *call : needs_[&function].tileOps)
      noteTypes(*call);
    for (const Expr *expr : needs_[&function].additions)
      noteAtomics(*expr);
    for (const Expr *session : needs_[&function].sessions) {
      llvm::SmallVector<std::string, 4> refusing;
      for (size_t i = 0; i != platforms().size(); ++i) {
        Target target;
        target.platform = Platform(i);
        std::string why;
        if (!engineOn(target, session->type.engine, &why))
          refusing.push_back(platforms()[i].name.str() + " (" + why + ")");
      }
      if (refusing.empty())
        continue;
      Finding &finding = sink_.report<Rule::EngineNotOnTarget>(
          session->range, name(session->type.engine), "every target", llvm::join(refusing, ", "));
      sink_.lower(finding, Severity::Note);
    }
  }

  const Program &program_;
  Sink &sink_;
  llvm::DenseMap<const Function *, Needs> needs_; ///< Looked up, never walked.
  llvm::DenseMap<const Function *, int64_t> ubBytes_;
};

} // namespace

void checkTargets(const Program &program, const std::optional<Target> &target, bool isDefault,
                  Sink &sink) {
  TargetCheck(program, sink).run(target, isDefault);
}

} // namespace pto::check_detail
