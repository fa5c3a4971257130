// Tiles that are placed by the program: whether they lie apart from what is in use at the same
// time. Two tiles may share a place one after the other, in one scope or in two.

#include "check/kernels.h"

#include "target/platform.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

namespace pto::check_detail {

using namespace program;

namespace {
/// A tile of a function, with the part of the text in which it is in use.
struct PlacedTile {
  const Variable *variable;
  int64_t begin = 0, end = 0; ///< Bytes of UB; of a kernel's frame both kinds are absolute.
  bool isFixed = false;
  size_t firstUse = 0, lastUse = 0; ///< Numbers of statements.
  bool isScratch = false;           ///< Of a session: in use until its scope ends.
};

class TileScan {
public:
  explicit TileScan(const Function &function) { body(function.body); }
  std::vector<PlacedTile> tiles;
  std::vector<std::pair<const Expr *, llvm::SmallVector<size_t, 3>>> together; ///< Operands.

private:
  void body(llvm::ArrayRef<Stmt *> statements);
  void place(const Stmt &stmt);
  void uses(const Expr *expr);

  size_t now_ = 0;
  int64_t frame_ = 0;
  llvm::DenseMap<const Variable *, size_t> numberOf_; ///< Looked up, never walked.
};
} // namespace

void TileScan::place(const Stmt &stmt) {
  int64_t row =
      int64_t(llvm::alignTo(uint64_t(stmt.cols * info(stmt.variable->type.scalar).bytes()),
                            uint64_t(limit(Limit::UbAlignBytes))));
  PlacedTile tile{stmt.variable};
  tile.isFixed = stmt.value != nullptr;
  tile.begin = tile.isFixed ? int64_t(stmt.value->bits) : frame_;
  tile.end = tile.begin + row * stmt.rows;
  if (!tile.isFixed)
    frame_ = tile.end;
  tile.firstUse = tile.lastUse = now_;
  numberOf_[stmt.variable] = tiles.size();
  tiles.push_back(tile);
}

void TileScan::uses(const Expr *root) {
  llvm::SmallVector<size_t, 3> operands;
  auto visit = [&](auto &self, const Expr *expr) -> void {
    if (!expr)
      return;
    auto found =
        expr->kind == ExprKind::Variable ? numberOf_.find(expr->variable) : numberOf_.end();
    if (found != numberOf_.end()) {
      tiles[found->second].lastUse = now_;
      tiles[found->second].isScratch |= root->kind == ExprKind::Session;
      operands.push_back(found->second);
    }
    for (const Expr *op : expr->ops)
      self(self, op);
  };
  visit(visit, root);
  if (root && operands.size() > 1)
    together.push_back({root, operands});
}

void TileScan::body(llvm::ArrayRef<Stmt *> statements) {
  size_t known = tiles.size();
  for (const Stmt *stmt : statements) {
    ++now_;
    if (stmt->kind == StmtKind::Tile && !stmt->variable->type.isError())
      place(*stmt);
    bool isLoop = stmt->kind == StmtKind::For || stmt->kind == StmtKind::While;
    size_t outer = tiles.size(), begin = now_;
    uses(stmt->value);
    for (const Expr *op : stmt->ops)
      uses(op);
    body(stmt->body);
    body(stmt->otherwise);
    // What a loop uses is in use until the loop ends.
    for (size_t i = 0; isLoop && i != outer; ++i)
      if (tiles[i].lastUse >= begin)
        tiles[i].lastUse = now_;
  }
  for (size_t i = known; i != tiles.size(); ++i)
    if (tiles[i].isScratch)
      tiles[i].lastUse = std::max(tiles[i].lastUse, now_);
}

static bool sharesBytes(const PlacedTile &a, const PlacedTile &b) {
  return a.begin < b.end && b.begin < a.end && (a.isFixed || b.isFixed);
}

static bool isTwin(const PlacedTile &a, const PlacedTile &b) {
  return a.begin == b.begin && a.end == b.end && a.isFixed && b.isFixed;
}

static std::string bytesText(const PlacedTile &a, const PlacedTile &b) {
  return std::to_string(std::max(a.begin, b.begin)) + " to " +
         std::to_string(std::min(a.end, b.end) - 1);
}

static void checkPlaces(const Function &function, Sink &sink) {
  TileScan scan(function);
  auto say = [&](SourceRange at, const PlacedTile &a, const PlacedTile &b) {
    Finding &finding = sink.report<Rule::TilesOverlap>(
        at, "`" + a.variable->name.str() + "` and `" + b.variable->name.str() + "`",
        "bytes " + bytesText(a, b));
    sink.note(finding, (at == a.variable->range ? b : a).variable->range, "the other tile");
  };
  llvm::DenseSet<const Variable *> told;
  for (const auto &[call, operands] : scan.together)
    for (size_t i = 0; i != operands.size(); ++i)
      for (size_t j = 0; j != i; ++j) {
        const PlacedTile &a = scan.tiles[operands[j]], &b = scan.tiles[operands[i]];
        // Arithmetic may write where it reads; chunks may not.
        bool isStaged = call->kind == ExprKind::Session ||
                        info(call->intrinsic).pipe == PipeUse::Staged ||
                        info(call->intrinsic).pipe == PipeUse::Reduce;
        bool isSame = operands[i] == operands[j];
        if (isSame ? !isStaged : !sharesBytes(a, b) || (isTwin(a, b) && !isStaged))
          continue;
        told.insert(a.variable);
        told.insert(b.variable);
        say(call->range, a, b);
      }
  for (size_t i = 0; i != scan.tiles.size(); ++i)
    for (size_t j = 0; j != i; ++j) {
      const PlacedTile &a = scan.tiles[j], &b = scan.tiles[i];
      bool isTold = told.contains(a.variable) && told.contains(b.variable);
      // Of two views of one place both may be meant, to read bits as another type.
      bool isMeant = isTwin(a, b) && !a.isScratch && !b.isScratch;
      if (sharesBytes(a, b) && !isTold && !isMeant && a.lastUse > b.firstUse)
        say(b.variable->range, a, b);
    }
}

/// Functions lie behind the frames of their callers, so only offsets within one body are compared;
/// in a function only tiles that are both fixed.
void checkTilePlaces(const Program &program, Sink &sink) {
  for (const auto &function : program.functions)
    if (function->kind == FunctionKind::Kernel)
      checkPlaces(*function, sink);
}

} // namespace pto::check_detail
