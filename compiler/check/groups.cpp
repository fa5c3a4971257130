//===- groups.cpp - `group(w, root = r, members = [...])` ---------------------------===//

#include "check/body.h"

namespace pto::check_detail {

/// The window, or the part of one, that every member has.
Expr *Body::checkGroupPart(const ast::Expr *written) {
  Expr *part = check(written);
  if (part->type.isError())
    return part;
  if (part->type.isView() && part->type.isSymmetric && !part->type.isSignal)
    return part;
  Finding &finding = sink_.report<Rule::TypeMismatch>(
      part->range, "a window, or a part of one, that every member of the group has",
      text(part->type, part->facts));
  if (part->facts && part->facts->object != ViewFacts::kNoObject)
    sink_.note(finding, program_.objects[size_t(part->facts->object)].range, "declared here");
  return error(part->range);
}

/// The ranks of `members`; false if one of them is wrong.
bool Body::checkMembers(const ast::Expr *written, llvm::SmallVectorImpl<Expr *> &ops) {
  const auto *list = llvm::dyn_cast_or_null<ast::ListExpr>(written);
  if (!list || list->elements.empty()) {
    sink_.report<Rule::WrongArguments>(written->range,
                                       "`members` of a group is a list of ranks, `[0, 2, 4]`");
    return false;
  }
  bool isFine = true;
  for (const ast::Expr *element : list->elements) {
    Expr *rank = coerce(check(element), Type::of(ScalarType::I32));
    isFine &= !rank->type.isError();
    std::optional<int64_t> known = rank->value.constant();
    std::optional<int32_t> ranks = checker_.options.ranks;
    if (known && (*known < 0 || (ranks && *known >= *ranks)))
      sink_.report<Rule::IndexOutOfRange>(
          rank->range, "rank " + std::to_string(*known) +
                           (*known < 0 ? " does not exist" : " of " + std::to_string(*ranks)));
    ops.push_back(rank);
  }
  return isFine;
}

/// The root is an index in the group, not a rank.
void Body::checkRoot(const Expr *root, const Affine &size, SourceRange at) {
  Affine index = root ? root->value : Affine(0);
  std::optional<Affine> rest = size.minus(index);
  std::optional<int64_t> left = rest ? rest->constant() : std::nullopt, known = index.constant();
  if ((left && *left <= 0) || (known && *known < 0))
    sink_.report<Rule::RootOutOfRange>(
        root ? root->range : at,
        known ? std::to_string(*known) : "`" + checker_.sources.text(root->range).str() + "`",
        size.constant() ? std::to_string(*size.constant()) : "`ranks`");
}

Expr *Body::checkGroup(const ast::CallExpr &call) {
  llvm::SmallVector<const ast::Expr *, 4> bound;
  if (!bindArguments(call.arguments, {"w", "root", "members"}, "group", call.range, bound))
    return error(call.range);
  if (!function_ || side_ == Side::Host)
    sink_.report<Rule::WrongSide>(call.range, "group", name(Side::Device), name(Side::Host));
  if (!bound[0]) {
    sink_.report<Rule::WrongArguments>(
        call.range, "`group(w [, root = 0] [, members = [...]])` needs its window");
    return error(call.range);
  }
  Expr *part = checkGroupPart(bound[0]);
  Expr *root = bound[1] ? coerce(check(bound[1]), Type::of(ScalarType::I32)) : nullptr;
  llvm::SmallVector<Expr *, 8> ops{part, root};
  if (bound[2] && !checkMembers(bound[2], ops))
    return error(call.range);
  if (part->type.isError() || (root && root->type.isError()))
    return error(call.range);
  ViewFacts *facts = newFacts(*part->facts);
  facts->members = bound[2] ? Affine(int64_t(ops.size()) - 2) : Affine::symbol(ranksSymbol);
  if (checker_.options.ranks && !bound[2])
    facts->members = Affine(*checker_.options.ranks);
  facts->peer = opaque();
  checkRoot(root, *facts->members, call.range);
  Type type{TypeKind::Group, part->type.scalar};
  type.locality = Locality::Remote;
  Expr *expr = make(ExprKind::Group, type, call.range);
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  expr->facts = facts;
  return expr;
}

} // namespace pto::check_detail
