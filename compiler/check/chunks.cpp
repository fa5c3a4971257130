//===- chunks.cpp - chunks that do not divide, and the region that mends them -----===//
//
// A tile with a region of its own shrinks for the last chunk, so the repair is one word behind its
// declaration. It belongs to all tiles that take turns with it, and is right only where nothing but
// moves in chunks uses them: whoever else looks at the region relies on its size. So the findings
// wait until the body is complete.
//
//===----------------------------------------------------------------------===//

#include "check/body.h"

#include "diag/fix.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace pto::check_detail {

namespace {
/// What a body does with its tiles.
class ChunkUses {
public:
  explicit ChunkUses(llvm::ArrayRef<Stmt *> body) { statements(body); }

  /// The tile and all that it takes turns with, here or in another call; empty if something else
  /// uses one of them.
  [[nodiscard]] llvm::SmallVector<const Variable *, 3> turns(const Variable *tile) const;

private:
  void statements(llvm::ArrayRef<Stmt *> body);
  void use(const Expr *expr);

  std::vector<llvm::SmallVector<const Variable *, 3>> together_; ///< The tiles of one call.
  llvm::SmallPtrSet<const Variable *, 8> otherwise_;             ///< Asked, never walked.
};
} // namespace

static bool isTile(const Expr *expr) {
  return expr && expr->kind == ExprKind::Variable && expr->type.kind == TypeKind::Tile;
}

void ChunkUses::use(const Expr *expr) {
  if (!expr)
    return;
  if (isTile(expr)) {
    otherwise_.insert(expr->variable);
    return;
  }
  bool isChunked =
      expr->kind == ExprKind::Intrinsic && (info(expr->intrinsic).pipe == PipeUse::Staged ||
                                            info(expr->intrinsic).pipe == PipeUse::Reduce);
  llvm::SmallVector<const Variable *, 3> tiles;
  for (const Expr *op : expr->ops)
    if (isChunked && isTile(op))
      tiles.push_back(op->variable);
    else
      use(op);
  if (!tiles.empty())
    together_.push_back(tiles);
}

void ChunkUses::statements(llvm::ArrayRef<Stmt *> body) {
  for (const Stmt *stmt : body) {
    use(stmt->value);
    for (const Expr *op : stmt->ops)
      use(op);
    statements(stmt->body);
    statements(stmt->otherwise);
  }
}

llvm::SmallVector<const Variable *, 3> ChunkUses::turns(const Variable *tile) const {
  llvm::SmallVector<const Variable *, 3> all{tile};
  for (size_t known = 0; known != all.size();) {
    known = all.size();
    for (const auto &tiles : together_)
      if (llvm::any_of(tiles, [&](const Variable *one) { return llvm::is_contained(all, one); }))
        for (const Variable *one : tiles)
          if (!llvm::is_contained(all, one))
            all.push_back(one);
  }
  if (llvm::any_of(all, [&](const Variable *one) { return otherwise_.contains(one); }))
    all.clear();
  return all;
}

/// Gives every one of the tiles its full size as its region, in the words of its type; or none, if
/// one of them is not declared in this body or has a region already.
void Body::adviseRegions(Finding &finding, llvm::ArrayRef<const Variable *> tiles) const {
  const Sources &sources = checker_.sources;
  llvm::SmallVector<std::pair<SourceRange, std::string>, 3> edits;
  for (const Variable *variable : tiles) {
    const ast::TileStmt *tile = tiles_.lookup(variable);
    const auto *type = tile ? llvm::dyn_cast_or_null<ast::TypeName>(tile->type) : nullptr;
    bool isPlain =
        type && tile->valid.empty() && (type->dims.size() == 1 || type->dims.size() == 2);
    if (!isPlain || !type->dims.front() || !type->dims.back() ||
        !sources.text(tile->range).ends_with(";"))
      return;
    llvm::StringRef rows = type->dims.size() == 2 ? sources.text(type->dims.front()->range) : "1";
    uint32_t end = tile->range.end - 1;
    edits.push_back(
        {{tile->range.file, end, end},
         (" valid [" + rows + ", " + sources.text(type->dims.back()->range) + "]").str()});
  }
  llvm::sort(edits, [](const auto &a, const auto &b) { return a.first.begin < b.first.begin; });
  for (const auto &[at, text] : edits)
    fixInsertText(sources, finding, at, text);
}

void Body::reportUnevenChunks() {
  if (unevenChunks_.empty())
    return;
  ChunkUses uses(function_->body);
  for (const UnevenChunks &chunks : unevenChunks_) {
    Finding &finding =
        sink_.report<Rule::ChunkNotDivisible>(chunks.tile->range, info(chunks.call->intrinsic).name,
                                              chunks.sizes, chunks.what, chunks.count);
    if (!isTile(chunks.tile))
      continue;
    sink_.note(finding, chunks.tile->variable->range, "the tile is declared here");
    if (chunks.isTail)
      adviseRegions(finding, uses.turns(chunks.tile->variable));
  }
  unevenChunks_.clear();
}

} // namespace pto::check_detail
