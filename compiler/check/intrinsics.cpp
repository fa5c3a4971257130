//===- intrinsics.cpp - operands of instructions against their table row ----===//

#include "check/body.h"

#include "base/check.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::check_detail {

void Body::requireHost(llvm::StringRef what, SourceRange range) {
  if (side_ == Side::Device)
    sink_.report<Rule::WrongSide>(range, what, name(Side::Host), name(Side::Device));
}

bool Body::mayStandHere(Intrinsic intrinsic, SourceRange range) {
  const IntrinsicInfo &row = info(intrinsic);
  if (!function_) {
    sink_.report<Rule::NotConstant>(range, "`" + row.name.str() + "`");
    return false;
  }
  bool fits = row.side == Side::Both || side_ == Side::Both || row.side == side_;
  if (!fits)
    sink_.report<Rule::WrongSide>(range, row.name, name(row.side), name(side_));
  return fits;
}

/// Checks the operands one by one, so that each wrong one is reported; false if any was.
bool Body::checkOperands(Intrinsic intrinsic, const ast::CallExpr &call,
                         llvm::SmallVectorImpl<Expr *> &ops) {
  const IntrinsicInfo &row = info(intrinsic);
  llvm::SmallVector<llvm::StringRef, 8> names;
  for (const ParamInfo &param : row.params)
    if (param.fixed < 0) // What the row gives itself stands behind what the call gives.
      names.push_back(param.name);
  llvm::SmallVector<const ast::Expr *, 8> bound;
  if (!bindArguments(call.arguments, names, row.name, call.range, bound))
    return false;
  bound.resize(row.params.size());
  bool isFine = true;
  // What is left out may stand before what is not: the last argument is then the last parameter's.
  if (size_t last = bound.size(); last > 1 && !bound[last - 1] && bound[last - 2] &&
                                  row.params[last - 2].isOptional &&
                                  !row.params[last - 1].isOptional)
    std::swap(bound[last - 1], bound[last - 2]);
  for (size_t i = 0; i != row.params.size(); ++i) {
    if (row.params[i].fixed >= 0) {
      ops.push_back(
          enumerator(*isaEnum(row.params[i].kind), uint8_t(row.params[i].fixed), call.range));
      continue;
    }
    if (!bound[i] && !row.params[i].isOptional) {
      Finding &finding = sink_.report<Rule::WrongArguments>(
          call.range, "`" + row.name.str() + "` needs an argument for `" + names[i].str() + "`");
      finding.details.push_back("signature: " + row.signature());
      return false;
    }
    ops.push_back(bound[i] ? checkOperand(intrinsic, row.params[i], bound[i]) : nullptr);
    isFine &= !ops.back() || !ops.back()->type.isError();
  }
  return isFine && coerceElements(row, ops);
}

/// An element has the type of the view or tile that comes first, which is known only now.
bool Body::coerceElements(const IntrinsicInfo &row, llvm::MutableArrayRef<Expr *> ops) {
  bool isFine = true;
  for (size_t i = 0; isFine && i != row.params.size(); ++i)
    if (ParamKind kind = row.params[i].kind;
        ops[i] && (kind == ParamKind::Element || kind == ParamKind::TileElement)) {
      ops[i] = coerce(ops[i], Type::of(ops[0]->type.scalar));
      isFine = !ops[i]->type.isError();
    }
  return isFine;
}

/// The type of an instruction's result.
static Type resultType(const IntrinsicInfo &row, llvm::ArrayRef<Expr *> ops) {
  switch (row.result) {
  case ResultKind::Void:
    return Type::none();
  case ResultKind::Bool:
    return Type::of(ScalarType::Bool);
  case ResultKind::Event:
    return Type::handle(TypeKind::Event);
  case ResultKind::Token:
    return Type::handle(TypeKind::Token);
  case ResultKind::Element:
    return Type::of(ops[0]->type.scalar);
  case ResultKind::I32:
    return Type::of(ScalarType::I32);
  case ResultKind::I64:
    return Type::of(ScalarType::I64);
  case ResultKind::HixlEngine:
    return Type::handle(TypeKind::HixlEngine);
  case ResultKind::HixlMem:
    return Type::handle(TypeKind::HixlMem);
  case ResultKind::HixlRequest:
    return Type::handle(TypeKind::HixlRequest);
  case ResultKind::HixlStatus:
    return Type::answer(HixlEnum::Status);
  case ResultKind::HixlTransfer:
    return Type::answer(HixlEnum::Transfer);
  case ResultKind::HixlConnect:
    return Type::answer(HixlEnum::Connect);
  }
  PTO_UNREACHABLE("result kind");
}

Expr *Body::checkIntrinsic(Intrinsic intrinsic, const ast::CallExpr &call) {
  llvm::SmallVector<Expr *, 8> ops;
  if (!mayStandHere(intrinsic, call.range) || !checkOperands(intrinsic, call, ops))
    return error(call.range);
  Expr *expr = make(ExprKind::Intrinsic, resultType(info(intrinsic), ops), call.range);
  expr->intrinsic = intrinsic;
  expr->ops = program_.copy(llvm::ArrayRef<Expr *>(ops));
  checkTransfer(expr);
  checkTileMoves(expr);
  checkCollective(expr);
  checkTileOp(expr);
  checkSynchronisation(expr);
  checkAmo(expr);
  return expr;
}

Expr *Body::enumerator(IsaEnum which, uint8_t number, SourceRange range) {
  Type type{TypeKind::Enum};
  type.isaEnum = which;
  Expr *expr = make(ExprKind::EnumValue, type, range);
  expr->bits = number;
  return expr;
}

Expr *Body::checkEnumerator(IsaEnum which, const ast::Expr *written) {
  const IsaEnumInfo &row = info(which);
  const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(written);
  std::optional<uint8_t> number = name ? row.number(name->name) : std::nullopt;
  // A parameter of the function that is an enumerator itself.
  if (auto param = name ? enumerators.find(name->name) : enumerators.end();
      !number && param != enumerators.end() && param->second.first == which)
    number = param->second.second;
  if (!number) {
    std::string choices;
    for (const IsaValue &value : row.values)
      choices += (choices.empty() ? "" : ", ") + value.name.str();
    std::string found = name ? "`" + name->name.str() + "`" : "something else";
    sink_.report<Rule::TypeMismatch>(written ? written->range : SourceRange{},
                                     "one of " + choices + " (" + row.name.str() + ")", found);
    return error(written ? written->range : SourceRange{});
  }
  return enumerator(which, *number, written->range);
}

/// The name of an element type, or of a type parameter, as an argument.
Expr *Body::checkElementType(const ParamInfo &param, const ast::Expr *written) {
  const auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(written);
  std::optional<ScalarType> type = name ? elementTypeOf(name->name) : std::nullopt;
  if (!type) {
    sink_.report<Rule::TypeMismatch>(written->range,
                                     "an element type for `" + param.name.str() + "`",
                                     "`" + checker_.sources.text(written->range).str() + "`");
    return error(written->range);
  }
  Expr *expr = make(ExprKind::EnumValue, Type::of(*type), written->range);
  expr->bits = ScalarBits(*type);
  return expr;
}

Expr *Body::checkOperand(Intrinsic intrinsic, const ParamInfo &param, const ast::Expr *written) {
  if (std::optional<IsaEnum> which = isaEnum(param.kind))
    return checkEnumerator(*which, written);
  if (param.kind == ParamKind::ElementType)
    return checkElementType(param, written);
  if (Expr *made = checkHixlOperand(intrinsic, param, written))
    return made;
  Expr *operand = check(written);
  return operand->type.isError() ? operand : checkValue(intrinsic, param, operand);
}

/// An operand that is an expression of the program.
Expr *Body::checkValue(Intrinsic intrinsic, const ParamInfo &param, Expr *operand) {
  auto want = [&](TypeKind kind, llvm::StringRef what) {
    if (operand->type.kind == kind)
      return operand;
    sink_.report<Rule::TypeMismatch>(
        operand->range,
        (what + " for `" + param.name + "` of `" + info(intrinsic).name + "`").str(),
        text(operand->type, operand->facts));
    return error(operand->range);
  };
  switch (param.kind) {
  case ParamKind::I32:
  case ParamKind::EventId:
    return coerce(operand, Type::of(ScalarType::I32));
  case ParamKind::I64:
    return coerce(operand, Type::of(ScalarType::I64));
  case ParamKind::Bool:
    return coerce(operand, Type::of(ScalarType::Bool));
  case ParamKind::Element:
  case ParamKind::TileElement:
    return operand; // Compared with the view's element type once both are known.
  case ParamKind::Tile:
    return want(TypeKind::Tile, "a tile");
  case ParamKind::Group:
    return want(TypeKind::Group, "a group");
  case ParamKind::Session:
    return want(TypeKind::Session, "a session");
  case ParamKind::Event:
    return want(TypeKind::Event, "an event");
  case ParamKind::Token:
    return want(TypeKind::Token, "a token");
  case ParamKind::RemoteSignal:
  case ParamKind::GmSignal:
  case ParamKind::AnySignal:
    return checkSignalOperand(intrinsic, param, operand);
  default:
    return checkViewOperand(intrinsic, param, operand);
  }
}

Expr *Body::checkViewOperand(Intrinsic intrinsic, const ParamInfo &param, Expr *operand) {
  llvm::StringRef instruction = info(intrinsic).name;
  if (!operand->type.isView()) {
    sink_.report<Rule::TypeMismatch>(operand->range,
                                     "a view (" + name(param.kind).str() + ") for `" +
                                         param.name.str() + "` of `" + instruction.str() + "`",
                                     text(operand->type, operand->facts));
    return error(operand->range);
  }
  bool isRemote = operand->type.locality == Locality::Remote;
  bool wantsRemote = param.kind == ParamKind::RemoteView || param.kind == ParamKind::RemoteSignal ||
                     param.kind == ParamKind::RemoteElement;
  bool wantsElement =
      param.kind == ParamKind::WindowElement || param.kind == ParamKind::RemoteElement;
  bool wantsLocal = param.kind == ParamKind::GmView || param.kind == ParamKind::GmSignal ||
                    param.kind == ParamKind::WindowElement;
  std::string shown = "`" + checker_.sources.text(operand->range).str() + "`, " +
                      text(operand->type, operand->facts);
  if (wantsRemote && !isRemote) {
    sink_.report<Rule::OperandNotRemote>(operand->range, "`" + param.name.str() + "`", instruction,
                                         shown, checker_.sources.text(operand->range));
    return error(operand->range);
  }
  if (wantsLocal && isRemote) {
    sink_.report<Rule::OperandNotLocal>(operand->range, "`" + param.name.str() + "`", instruction,
                                        shown);
    return error(operand->range);
  }
  if (wantsElement && !operand->facts->shape.empty()) {
    sink_.report<Rule::TypeMismatch>(operand->range,
                                     "one element, with an index for every dimension",
                                     text(operand->type, operand->facts));
    return error(operand->range);
  }
  return operand;
}

Expr *Body::checkSignalOperand(Intrinsic intrinsic, const ParamInfo &param, Expr *operand) {
  llvm::StringRef instruction = info(intrinsic).name;
  std::string role = "`" + param.name.str() + "`";
  if (!operand->type.isView() || !operand->type.isSignal) {
    Finding &finding = sink_.report<Rule::SignalNotInt32>(operand->range, role, instruction,
                                                          text(operand->type, operand->facts));
    if (operand->facts && operand->facts->object != ViewFacts::kNoObject)
      sink_.note(finding, program_.objects[size_t(operand->facts->object)].range, "declared here");
    return error(operand->range);
  }
  operand = checkViewOperand(intrinsic, param, operand);
  // A wait may scan a grid; a notify writes element [0][0] and nothing else.
  bool isWait = param.kind == ParamKind::GmSignal;
  if (!operand->type.isError() && !isWait && !operand->facts->shape.empty()) {
    std::optional<Affine> words = operand->facts->elements();
    if (!words || !words->is(1)) {
      sink_.report<Rule::SignalNotInt32>(operand->range, role, instruction,
                                         text(operand->type, operand->facts) +
                                             ", more than one word");
      return error(operand->range);
    }
  }
  return operand;
}

} // namespace pto::check_detail
