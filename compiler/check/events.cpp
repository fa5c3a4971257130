#include "check/events.h"

#include "diag/fix.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace pto::check_detail {

using namespace program;

namespace {

/// Where completion is counted: a session, or one peer of it.
struct Domain {
  const Variable *session = nullptr;
  bool isPerPeer = false;     ///< URMA and RDMA: each peer has a queue of its own.
  std::optional<Affine> peer; ///< Of those: the rank, where it is known as a sum.
  bool operator==(const Domain &) const = default;

  /// Whether another domain of the session may be the same queue: `next` and `1` may be one rank.
  bool mayBe(const Domain &other) const {
    std::optional<Affine> apart = peer && other.peer ? peer->minus(*other.peer) : std::nullopt;
    return !apart || !apart->constant();
  }
};

/// Posts of one domain that no wait has covered yet.
struct Pending {
  Domain domain;
  const Expr *post = nullptr; ///< The first of them.
  const Stmt *stmt = nullptr; ///< Where it stands.
  bool isMaybe = false;       ///< Posted on some of the paths that led here.
  bool isMany = false;        ///< One post a turn of a loop, each to another peer.
  bool mayBeMany = false;     ///< The same, as far as one can see.
  bool mayBeDone = false;     ///< A wait may have covered it.
};

/// What holds at one point of the body.
struct State {
  llvm::SmallVector<Pending, 4> pending;
  llvm::SmallVector<std::pair<const Variable *, Domain>, 4>
      events;          ///< What event variables stand for.
  bool isDead = false; ///< No path leads here.

  Pending *find(const Domain &domain) {
    for (Pending &entry : pending)
      if (entry.domain == domain)
        return &entry;
    return nullptr;
  }
};

class EventFlow {
public:
  EventFlow(const Function &function, Program &program, const Sources &sources, Sink &sink)
      : function_(function), program_(program), sources_(sources), sink_(sink) {}

  void run() {
    State state;
    statements(function_.body, state);
    if (!state.isDead)
      end(state, function_.end);
  }

private:
  //===--- Expressions ---===//

  static const Expr *peerOf(const Expr *view) {
    for (const Expr *at = view; at && !at->ops.empty(); at = at->ops[0])
      if (at->kind == ExprKind::Peer)
        return at->ops[1];
    return nullptr;
  }

  static Domain domainOf(const Expr *session, const Expr *remote) {
    Domain domain;
    domain.session = session->variable;
    domain.isPerPeer = session->type.engine != DmaEngine::SDMA;
    if (domain.isPerPeer && remote && remote->facts)
      domain.peer = remote->facts->peer;
    return domain;
  }

  /// The domain of an expression that posts, or whose callee does.
  static std::optional<Domain> posted(const Expr &expr) {
    if (expr.type.kind != TypeKind::Event)
      return std::nullopt;
    if (expr.kind == ExprKind::Intrinsic) {
      const IntrinsicInfo &row = info(expr.intrinsic);
      int dst = row.param("dst"), src = row.param("src"), session = row.param("s");
      if (dst < 0 || src < 0 || session < 0)
        return std::nullopt;
      const Expr *remote =
          expr.ops[size_t(dst)]->facts->peer ? expr.ops[size_t(dst)] : expr.ops[size_t(src)];
      return domainOf(expr.ops[size_t(session)], remote);
    }
    if (expr.kind == ExprKind::Call)
      for (const Expr *arg : expr.ops)
        if (arg->type.kind == TypeKind::Session)
          return domainOf(arg, nullptr);
    return std::nullopt;
  }

  std::optional<Domain> domainOfEvent(const Expr *event, const State &state) const {
    if (event->kind == ExprKind::Variable)
      for (const auto &[variable, domain] : state.events)
        if (variable == event->variable)
          return domain;
    return posted(*event);
  }

  void cover(const Expr *event, State &state) {
    std::optional<Domain> domain = domainOfEvent(event, state);
    if (!domain)
      return;
    for (size_t i = state.pending.size(); i-- > 0;) {
      Pending &entry = state.pending[i];
      if (entry.domain.session != domain->session)
        continue;
      bool isSame = entry.domain == *domain;
      if (isSame && !entry.isMany && !entry.mayBeMany)
        state.pending.erase(&entry);
      else if (!entry.isMany && (isSame || entry.domain.mayBe(*domain)))
        entry.mayBeDone = true;
      else
        lastPartialWait_ = event;
    }
  }

  void expression(const Expr *expr, State &state) {
    if (!expr)
      return;
    for (const Expr *op : expr->ops)
      expression(op, state);
    if (std::optional<Domain> domain = posted(*expr))
      return post(*domain, *expr, state);
    bool waits = expr->kind == ExprKind::Intrinsic &&
                 (expr->intrinsic == Intrinsic::Wait || expr->intrinsic == Intrinsic::Test);
    if (waits)
      cover(expr->ops[0], state);
    if (expr->kind == ExprKind::Call) // The callee takes the event over.
      for (const Expr *arg : expr->ops)
        if (arg->type.kind == TypeKind::Event)
          cover(arg, state);
  }

  void post(const Domain &domain, const Expr &expr, State &state) {
    Pending *earlier = state.find(domain);
    if (!earlier) {
      state.pending.push_back({domain, &expr, stmt_});
    } else if (earlier->mayBeDone) {
      addUnknown(*earlier->post);
      *earlier = {domain, &expr, stmt_};
    }
  }

  //===--- Statements ---===//

  void statements(llvm::ArrayRef<Stmt *> body, State &state) {
    for (const Stmt *stmt : body) {
      if (state.isDead)
        return;
      statement(*stmt, state);
    }
  }

  void statement(const Stmt &stmt, State &state) {
    stmt_ = &stmt;
    expression(stmt.kind == StmtKind::While ? nullptr : stmt.value, state);
    for (const Expr *op : stmt.ops)
      expression(op, state);
    switch (stmt.kind) {
    case StmtKind::Block:
      return statements(stmt.body, state);
    case StmtKind::Define:
    case StmtKind::Assign:
      return define(stmt, state);
    case StmtKind::If:
      return branch(stmt, state);
    case StmtKind::For:
    case StmtKind::While:
      return loop(stmt, state);
    case StmtKind::Break:
      breaks_.push_back(state);
      state.isDead = true;
      return;
    case StmtKind::Continue:
      continues_.push_back(state);
      state.isDead = true;
      return;
    case StmtKind::Return:
      if (stmt.value && stmt.value->type.kind == TypeKind::Event)
        cover(stmt.value, state); // The caller waits for it.
      end(state, stmt.range);
      state.isDead = true;
      return;
    default:
      return;
    }
  }

  void define(const Stmt &stmt, State &state) {
    if (stmt.kind == StmtKind::Define && !stmt.otherwise.empty()) {
      State failed = state;
      statements(stmt.otherwise, failed);
    }
    if (!stmt.variable || stmt.variable->type.kind != TypeKind::Event || !stmt.value)
      return;
    std::optional<Domain> domain = domainOfEvent(stmt.value, state);
    llvm::erase_if(state.events, [&](const auto &entry) { return entry.first == stmt.variable; });
    if (domain)
      state.events.push_back({stmt.variable, *domain});
  }

  void branch(const Stmt &stmt, State &state) {
    State then = state, otherwise = state;
    statements(stmt.body, then);
    statements(stmt.otherwise, otherwise);
    state = join(state, then, otherwise);
  }

  /// What holds after two paths from one point meet.
  State join(State &before, State &left, State &right) {
    if (left.isDead)
      return right;
    if (right.isDead)
      return left;
    State out;
    for (auto [one, other] : {std::pair(&left, &right), std::pair(&right, &left)})
      for (Pending entry : one->pending) {
        if (out.find(entry.domain))
          continue;
        Pending *there = other->find(entry.domain), *then = before.find(entry.domain);
        // Posted under one condition and waited for under another: the two may be the same.
        if (!there && then && then->isMaybe) {
          addUnknown(*entry.post);
          continue;
        }
        entry.isMaybe |= !there || there->isMaybe;
        entry.mayBeDone |= there && there->mayBeDone;
        entry.mayBeMany |= there && there->mayBeMany;
        out.pending.push_back(entry);
      }
    out.events = left.events;
    for (const auto &entry : right.events)
      if (llvm::none_of(out.events, [&](const auto &had) { return had.first == entry.first; }))
        out.events.push_back(entry);
    return out;
  }

  /// The body once: a transfer that a turn waits for is covered, one that it posts is pending
  /// after.
  void loop(const Stmt &stmt, State &state) {
    auto outerBreaks = std::move(breaks_), outerContinues = std::move(continues_);
    breaks_.clear();
    continues_.clear();
    bool isEndless = stmt.kind == StmtKind::While && !stmt.value;
    if (stmt.kind == StmtKind::While)
      expression(stmt.value, state);
    State before = state, inside = state;
    statements(stmt.body, inside);
    State out;
    out.isDead = true;
    continues_.push_back(inside);
    for (State &turn : continues_)
      out = isEndless ? out : join(before, out, turn);
    for (State &left : breaks_)
      out = join(before, out, left);
    if (!out.isDead)
      markMany(stmt, before, out);
    breaks_ = std::move(outerBreaks);
    continues_ = std::move(outerContinues);
    state = std::move(out);
  }

  /// Posts of a loop whose peer changes from turn to turn stand for several queues.
  void markMany(const Stmt &stmt, State &before, State &out) {
    if (stmt.kind != StmtKind::For)
      return;
    std::optional<int64_t> low = stmt.ops[0]->value.constant(),
                           high = stmt.ops[1]->value.constant();
    bool hasTurns = low && high && *high - *low > 1 && !stmt.ops[2] && breaks_.empty();
    for (Pending &entry : out.pending) {
      if (before.find(entry.domain) || !entry.domain.isPerPeer || !varies(*entry.post, stmt))
        continue;
      std::optional<Affine> rest =
          entry.domain.peer ? entry.domain.peer->minus(stmt.variable->value) : std::nullopt;
      bool isEachAnother = rest && rest->constant() && hasTurns && !entry.isMaybe;
      (isEachAnother ? entry.isMany : entry.mayBeMany) = true;
    }
  }

  /// Whether the peer of a post may be another in each turn: it reads the loop's own variable, or
  /// one that changes.
  static bool varies(const Expr &post, const Stmt &loop) {
    for (const Expr *op : post.ops)
      if (const Expr *peer = op && op->type.isView() ? peerOf(op) : nullptr)
        if (reads(*peer, loop))
          return true;
    return post.kind == ExprKind::Call;
  }

  static bool reads(const Expr &expr, const Stmt &loop) {
    if (expr.kind == ExprKind::Variable)
      return expr.variable == loop.variable || expr.variable->isMutable ||
             loop.range.contains(expr.variable->range);
    return llvm::any_of(expr.ops, [&](const Expr *op) { return op && reads(*op, loop); });
  }

  void addUnknown(const Expr &post) {
    LineColumn at = sources_.lineColumn(post.range.file, post.range.begin);
    std::string text = "whether the transfer at " + sources_.name(post.range.file).str() + ":" +
                       std::to_string(at.line) + ":" + std::to_string(at.column) +
                       " is waited for on every path";
    if (!llvm::is_contained(program_.unknowns, text))
      program_.unknowns.push_back(std::move(text));
  }

  void end(const State &state, SourceRange at) {
    for (const Pending &entry : state.pending) {
      if (entry.mayBeDone) {
        addUnknown(*entry.post);
        continue;
      }
      if (!told_.insert(entry.post).second)
        continue; // At another end.
      llvm::StringRef detail;
      if (entry.isMany)
        detail =
            ": the wait covers the last peer of the loop, and each peer has a queue of its own";
      else if (entry.domain.isPerPeer && lastPartialWait_)
        detail = ": the wait covers one peer's queue, and this went to another's";
      else if (entry.isMaybe || !function_.end.contains(at))
        detail = " on every path";
      Finding &finding = sink_.report<Rule::EventNotAwaited>(entry.post->range, detail);
      sink_.note(finding, at, "`" + function_.name + "` ends here");
      // Where no path waits for it, to wait right behind the post is always right.
      if (!entry.isMaybe && !entry.isMany && function_.end.contains(at))
        fixByWaiting(finding, entry);
    }
  }

  void fixByWaiting(Finding &finding, const Pending &entry) const {
    const Stmt *stmt = entry.stmt;
    if (!stmt || stmt->value != entry.post)
      return;
    if (stmt->kind == StmtKind::Define)
      fixInsertAfter(sources_, finding, stmt->range, "wait(" + stmt->variable->name.str() + ");");
    else if (stmt->kind == StmtKind::Evaluate)
      fixWrap(sources_, finding, entry.post->range, "wait(", ")");
  }

  const Function &function_;
  Program &program_;
  const Sources &sources_;
  Sink &sink_;
  const Stmt *stmt_ = nullptr; ///< The statement that is followed.
  std::vector<State> breaks_, continues_;
  const Expr *lastPartialWait_ = nullptr;
  llvm::DenseSet<const Expr *> told_;
};

} // namespace

void checkEvents(const Function &function, Program &program, const Sources &sources, Sink &sink) {
  EventFlow(function, program, sources, sink).run();
}

} // namespace pto::check_detail
