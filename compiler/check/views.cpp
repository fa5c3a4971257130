//===- views.cpp - indexing, slicing, peers; shapes and strides folded -------===//

#include "check/body.h"

namespace pto::check_detail {

/// `recv[rank, ..]` is a view of the part; the facts say how it lies in the object.
Expr *Body::checkSubscript(const ast::SubscriptExpr &subscript) {
  if (const auto *member = llvm::dyn_cast_or_null<ast::MemberExpr>(subscript.base))
    if (member->name == "reshape")
      return reshape(check(member->base), subscript);
  Expr *view = check(subscript.base);
  if (view->type.isError())
    return error(subscript.range);
  if (!view->type.isView()) {
    sink_.report<Rule::TypeMismatch>(subscript.range, "a view to take a part of",
                                     text(view->type, view->facts));
    return error(subscript.range);
  }
  size_t dimensions = view->facts->shape.size();
  if (subscript.subscripts.size() != dimensions) {
    Finding &finding = sink_.report<Rule::BadShape>(
        subscript.range, "`" + text(view->type, view->facts) + "` has " +
                             std::to_string(dimensions) +
                             " dimensions, and the brackets speak of " +
                             std::to_string(subscript.subscripts.size()));
    finding.details.push_back("write `..` for a whole dimension, as in `x[i, ..]`");
    return error(subscript.range);
  }
  unsigned dimension = 0;
  for (const ast::Part *part : subscript.subscripts) {
    if (const auto *index = llvm::dyn_cast_or_null<ast::Index>(part)) {
      view = indexDimension(view, dimension, check(index->index));
    } else if (const auto *slice = llvm::dyn_cast_or_null<ast::Slice>(part)) {
      if (slice->low || slice->high || slice->step)
        view = sliceDimension(view, dimension, *slice);
      ++dimension;
    }
    if (view->type.isError())
      return error(subscript.range);
    view->range = subscript.range;
  }
  return view;
}

void Body::checkInside(const Affine &index, const Affine &size, SourceRange at, bool mayBeEnd) {
  std::optional<int64_t> value = index.constant();
  std::optional<Affine> room = size.minus(index);
  std::optional<int64_t> left = room ? room->constant() : std::nullopt;
  bool isOutside = (value && *value < 0) || (left && *left < (mayBeEnd ? 0 : 1));
  if (!isOutside)
    return;
  std::string shown = value ? std::to_string(*value) : "`" + checker_.sources.text(at).str() + "`";
  std::string where =
      size.constant() ? "lies outside a dimension of " + text(size) : "lies outside its dimension";
  sink_.report<Rule::IndexOutOfRange>(at,
                                      (mayBeEnd ? "the bound " : "index ") + shown + " " + where);
}

Expr *Body::indexDimension(Expr *view, unsigned dimension, Expr *index) {
  if (!requireInteger(index))
    return error(view->range);
  const ViewFacts &from = *view->facts;
  checkInside(index->value, from.shape[dimension], index->range, false);
  ViewFacts *facts = newFacts(from);
  std::optional<Affine> offset = from.offset.plus(product(index->value, from.stride[dimension]));
  facts->offset = offset ? *offset : opaque();
  facts->shape.erase(facts->shape.begin() + dimension);
  facts->stride.erase(facts->stride.begin() + dimension);
  Expr *expr = make(ExprKind::Index, view->type, view->range);
  expr->number = dimension;
  expr->ops = list({view, index});
  expr->facts = facts;
  return expr;
}

Expr *Body::sizeOrExtent(Expr *view, unsigned dimension, SourceRange range) {
  const Affine &size = view->facts->shape[dimension];
  if (std::optional<int64_t> known = size.constant())
    return constant(ScalarType::I64, ScalarBits(*known), range);
  Expr *expr = make(ExprKind::Extent, Type::of(ScalarType::I64), range);
  expr->number = dimension;
  expr->ops = list({view});
  expr->value = size;
  return expr;
}

Expr *Body::sliceDimension(Expr *view, unsigned dimension, const ast::Slice &slice) {
  Expr *low = slice.low ? check(slice.low) : constant(ScalarType::I32, 0, slice.range);
  Expr *high = slice.high ? check(slice.high) : sizeOrExtent(view, dimension, slice.range);
  Expr *step = slice.step ? check(slice.step) : nullptr;
  for (Expr *bound : {low, high, step})
    if (bound && !requireInteger(bound))
      return error(view->range);
  if (step && step->value.constant() && *step->value.constant() < 1) {
    sink_.report<Rule::BadShape>(step->range, "a step is at least 1");
    return error(view->range);
  }
  const ViewFacts &from = *view->facts;
  checkInside(low->value, from.shape[dimension], low->range, true);
  checkInside(high->value, from.shape[dimension], high->range, true);
  std::optional<Affine> length = high->value.minus(low->value);
  if (length && length->constant() && *length->constant() < 0)
    sink_.report<Rule::BadShape>(slice.range, "the range ends before it begins");
  if (length && step) {
    std::optional<int64_t> elements = length->constant(), stride = step->value.constant();
    length = elements && stride ? std::optional(Affine((*elements + *stride - 1) / *stride))
                                : std::nullopt;
  }
  ViewFacts *facts = newFacts(from);
  std::optional<Affine> offset = from.offset.plus(product(low->value, from.stride[dimension]));
  facts->offset = offset ? *offset : opaque();
  facts->shape[dimension] = length ? *length : opaque();
  if (step)
    facts->stride[dimension] = product(from.stride[dimension], step->value);
  Expr *expr = make(ExprKind::Slice, view->type, view->range);
  expr->number = dimension;
  expr->ops = list({view, low, high, step});
  expr->facts = facts;
  return expr;
}

/// The strides of rows that lie one behind the other.
void Body::setContiguous(ViewFacts &facts) {
  facts.stride.assign(facts.shape.size(), Affine(1));
  for (size_t i = facts.shape.size(); i-- > 1;)
    facts.stride[i - 1] = product(facts.stride[i], facts.shape[i]);
}

Expr *Body::reshape(Expr *view, const ast::SubscriptExpr &subscript) {
  if (view->type.isError())
    return error(subscript.range);
  if (!view->type.isView()) {
    sink_.report<Rule::TypeMismatch>(subscript.range, "a view to reshape",
                                     text(view->type, view->facts));
    return error(subscript.range);
  }
  llvm::SmallVector<Expr *, 6> ops{view};
  ViewFacts *facts = newFacts(*view->facts);
  facts->shape.clear();
  for (const ast::Part *part : subscript.subscripts) {
    const auto *index = llvm::dyn_cast_or_null<ast::Index>(part);
    Expr *size = index ? check(index->index) : error(subscript.range);
    if (!size->type.isInteger()) {
      if (!size->type.isError() || !index)
        sink_.report<Rule::BadShape>(subscript.range, "reshape takes one integer a dimension");
      return error(subscript.range);
    }
    size->isLiteral = false;
    ops.push_back(size);
    facts->shape.push_back(size->value);
  }
  if (facts->shape.size() > 5) {
    sink_.report<Rule::BadShape>(subscript.range, "a view has at most five dimensions");
    return error(subscript.range);
  }
  std::optional<Affine> before = view->facts->elements(), after = facts->elements();
  std::optional<Affine> difference = before && after ? before->minus(*after) : std::nullopt;
  if (difference && difference->constant() && !difference->is(0))
    sink_.report<Rule::BadShape>(subscript.range, "a view of " + text(*before) +
                                                      " elements cannot become one of " +
                                                      text(*after));
  // What is not contiguous traps at run time; after it the view is contiguous for certain.
  setContiguous(*facts);
  Expr *expr = make(ExprKind::Reshape, view->type, subscript.range);
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  expr->facts = facts;
  return expr;
}

Expr *Body::checkAt(const ast::AtExpr &at) {
  Expr *view = check(at.base);
  Expr *peer = check(at.peer);
  if (view->type.isError() || peer->type.isError())
    return error(at.range);
  if (!view->type.isView() || !view->type.isSymmetric) {
    Finding &finding = sink_.report<Rule::TypeMismatch>(
        at.range, "a window, which every rank has at the same offset",
        text(view->type, view->facts));
    if (view->facts && view->facts->object != ViewFacts::kNoObject)
      sink_.note(finding, program_.objects[size_t(view->facts->object)].range,
                 "declared here; another rank can address a `window` only");
    return error(at.range);
  }
  peer = coerce(peer, Type::of(ScalarType::I32));
  if (peer->type.isError())
    return error(at.range);
  if (std::optional<int64_t> rank = peer->value.constant(); rank && *rank < 0)
    sink_.report<Rule::IndexOutOfRange>(peer->range,
                                        "rank " + std::to_string(*rank) + " does not exist");
  else if (rank && checker_.options.ranks && *rank >= *checker_.options.ranks)
    sink_.report<Rule::IndexOutOfRange>(peer->range, "rank " + std::to_string(*rank) + " of " +
                                                         std::to_string(*checker_.options.ranks));
  Type type = view->type;
  type.locality = Locality::Remote;
  type.isSymmetric = false;
  Expr *expr = make(ExprKind::Peer, type, at.range);
  expr->ops = list({view, peer});
  ViewFacts *facts = newFacts(*view->facts);
  facts->peer = peer->value;
  expr->facts = facts;
  return expr;
}

/// view(x, offset = o, shape = [..], stride = [..]): any strided part of x.
Expr *Body::checkViewCall(const ast::CallExpr &call) {
  llvm::SmallVector<const ast::Expr *, 4> bound;
  if (!bindArguments(call.arguments, {"x", "offset", "shape", "stride"}, "view", call.range, bound))
    return error(call.range);
  const auto *sizes = llvm::dyn_cast_or_null<ast::ListExpr>(bound[2]);
  const auto *strides = llvm::dyn_cast_or_null<ast::ListExpr>(bound[3]);
  if (!bound[0] || !sizes || !strides || sizes->elements.size() != strides->elements.size() ||
      sizes->elements.size() > 5) {
    sink_.report<Rule::WrongArguments>(call.range,
                                       "`view` takes a view, `offset = o`, and `shape = [...]`, "
                                       "`stride = [...]` of one length up to five");
    return error(call.range);
  }
  Expr *view = check(bound[0]);
  if (view->type.isError())
    return error(call.range);
  if (!view->type.isView()) {
    sink_.report<Rule::TypeMismatch>(view->range, "a view", text(view->type, view->facts));
    return error(call.range);
  }
  Expr *offset = bound[1] ? check(bound[1]) : constant(ScalarType::I32, 0, call.range);
  return makeStrided(view, offset, *sizes, *strides, call.range);
}

Expr *Body::makeStrided(Expr *view, Expr *offset, const ast::ListExpr &sizes,
                        const ast::ListExpr &strides, SourceRange range) {
  llvm::SmallVector<Expr *, 12> ops{view, offset};
  for (const ast::ListExpr *numbers : {&sizes, &strides})
    for (const ast::Expr *element : numbers->elements)
      ops.push_back(check(element));
  for (Expr *number : llvm::ArrayRef(ops).drop_front())
    if (!requireInteger(number))
      return error(range);
  size_t dimensions = sizes.elements.size();
  ViewFacts *facts = newFacts(*view->facts);
  std::optional<Affine> start = view->facts->offset.plus(offset->value);
  facts->offset = start ? *start : opaque();
  facts->shape.clear();
  facts->stride.clear();
  for (size_t i = 0; i != dimensions; ++i) {
    facts->shape.push_back(ops[2 + i]->value);
    facts->stride.push_back(ops[2 + dimensions + i]->value);
  }
  Expr *expr = make(ExprKind::Strided, view->type, range);
  expr->number = unsigned(dimensions);
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  expr->facts = facts;
  return expr;
}

} // namespace pto::check_detail
