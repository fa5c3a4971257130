//===- sessions.cpp - posted transfers, and what must not happen until they are done --===//
//
// From post to wait an engine may read its source and write its destination at any moment. This
// follows what is posted where, and which wait covers it.
//
//===----------------------------------------------------------------------===//

#include "flow/context.h"

#include "target/platform.h"

#include "llvm/ADT/STLExtras.h"

namespace pto::flow_detail {

namespace {

/// A post that may still be under way, or is remembered for the order of waits.
struct Post {
  const Step *step = nullptr;
  Origin session;
  DmaEngine engine = DmaEngine::SDMA;
  bool isMaybe = false;
  bool isCovered = false;        ///< Some wait covers it.
  const Step *waited = nullptr;  ///< The wait for this very event.
  Region source, target, remote; ///< `remote`: the one that names the peer.

  [[nodiscard]] bool isSame(const Post &other) const { return step == other.step; }
  void meet(const Post &other, bool isLoop) {
    bool differs = isCovered != other.isCovered || waited != other.waited;
    isMaybe = isLoop ? isMaybe && other.isMaybe : isMaybe || other.isMaybe || differs;
    // A maybe that was waited for on one path is no ground for a finding on the other.
    isCovered = isLoop ? isCovered && other.isCovered : isCovered || other.isCovered;
    if (waited != other.waited)
      waited = nullptr;
    for (auto [mine, theirs] :
         {std::pair(&source, &other.source), std::pair(&target, &other.target),
          std::pair(&remote, &other.remote)})
      if (!(*mine == *theirs))
        forgetTurn(*mine);
  }
  bool operator==(const Post &) const = default;
};

class SessionFlow {
public:
  using State = std::vector<Post>;

  SessionFlow(const Graph &graph, Context &context) : graph_(graph), context_(context) {}

  bool reports = false;

  void step(const Step &step, State &state) {
    if (step.kind == StepKind::Session)
      return build(step, state);
    if (step.kind != StepKind::Instruction)
      return;
    if (reports)
      checkTouches(step, state);
    if (step.is(Intrinsic::Wait) || step.is(Intrinsic::Test))
      return wait(step, state);
    if (info(step.expr->intrinsic).pipe == PipeUse::Engine)
      post(step, state);
  }
  void join(State &into, const State &from, Join how) { joinEntries(into, from, how); }
  void turn(State &state) {
    for (Post &post : state)
      for (Region *region : {&post.source, &post.target, &post.remote})
        forgetTurn(*region);
  }
  void end(const State &) {}

private:
  //===--- Sessions ---===//

  /// The channel group that a session's expression asks for; the default is one for each block.
  static std::optional<int64_t> groupOf(const Expr &session) {
    if (session.ops.size() < 6 || !session.ops[5])
      return -1;
    return session.ops[5]->value.constant();
  }

  void build(const Step &step, State &state) {
    if (step.expr->type.engine != DmaEngine::SDMA)
      return;
    for (const Post &post : state) {
      if (post.isCovered || post.engine != DmaEngine::SDMA || !post.session.expr)
        continue;
      std::optional<int64_t> mine = groupOf(*step.expr), theirs = groupOf(*post.session.expr);
      bool isOneGroup = post.session.expr == step.expr || (mine && theirs && *mine == *theirs);
      if (!isOneGroup || !reports)
        continue;
      if (post.isMaybe)
        context_.unknown("whether the transfer at " + context_.place(post.step->range()) +
                         " is waited for when a session is built at " +
                         context_.place(step.range()));
      else
        context_.sink.note(context_.sink.report<Rule::SessionRebuilt>(step.range()),
                           post.step->range(), "this transfer may still be under way");
    }
    llvm::erase_if(state, [&](const Post &post) { return post.session.expr == step.expr; });
  }

  //===--- Posts and waits ---===//

  static bool isOneQueue(const Post &a, const Post &b) {
    return a.session == b.session &&
           (a.engine == DmaEngine::SDMA || isSamePeer(a.remote, b.remote));
  }

  void post(const Step &step, State &state) {
    const Expr *session = step.operand("s"), *dst = step.operand("dst"), *src = step.operand("src");
    if (!session || !dst || !src)
      return;
    Post post;
    post.step = &step;
    post.session = graph_.origin(step.frame, session);
    post.engine = session->type.engine;
    post.source = regionOf(graph_, step.frame, src);
    post.target = regionOf(graph_, step.frame, dst);
    post.remote = post.target.space == Space::Remote ? post.target : post.source;
    if (reports) {
      checkOutstanding(step, state);
      checkTargets(post, state);
    }
    llvm::erase_if(state, [&](const Post &had) { return had.isSame(post); });
    state.push_back(post);
  }

  void wait(const Step &step, State &state) {
    Origin made = graph_.origin(step.frame, step.expr->ops[0]);
    auto posted = llvm::find_if(state, [&](const Post &post) {
      return made && post.step->expr == made.expr && post.step->frame == made.frame;
    });
    if (posted == state.end()) { // Which one is not known: it may be any.
      for (Post &post : state)
        post.isCovered = true;
      return;
    }
    if (reports && step.is(Intrinsic::Wait))
      checkOrder(step, *posted, state);
    for (auto each = state.begin(); each != posted; ++each)
      // Of a peer that is not known it may be the same queue.
      each->isCovered |= each->session == posted->session;
    posted->isCovered = true;
    if (step.is(Intrinsic::Wait))
      posted->waited = &step;
  }

  /// The rank that a post goes to, as the program writes it.
  [[nodiscard]] std::string peerText(const Step &post) const {
    for (const Expr *view : {post.operand("dst"), post.operand("src")})
      for (const Expr *at = view; at && !at->ops.empty(); at = at->ops[0])
        if (at->kind == program::ExprKind::Peer)
          return "`" + context_.text(at->ops[1]) + "`";
    return "of this transfer";
  }

  void checkOrder(const Step &step, const Post &posted, const State &state) {
    if (posted.engine != DmaEngine::URMA || posted.isMaybe)
      return;
    bool isLater = false;
    for (const Post &other : state) {
      if (isLater && other.waited && !other.isMaybe && other.engine == DmaEngine::URMA &&
          isSamePeer(other.remote, posted.remote)) {
        const auto *at = step.expr->ops[0];
        Finding &finding =
            context_.sink.report<Rule::UrmaWaitOrder>(at->range, peerText(*posted.step));
        context_.sink.note(finding, other.waited->range(), "a later transfer is waited for here");
        context_.sink.note(finding, posted.step->range(), "the older one was posted here");
        return;
      }
      isLater |= other.isSame(posted);
    }
  }

  /// A loop whose own post is still uncovered when it posts again.
  void checkOutstanding(const Step &step, const State &state) {
    auto again = llvm::find_if(state, [&](const Post &post) { return post.step == &step; });
    if (again == state.end() || again->isCovered || again->isMaybe ||
        again->engine != DmaEngine::SDMA)
      return;
    int64_t turns = 1, most = limit(Limit::SdmaOutstanding);
    for (uint32_t at = step.guard; at != kNone; at = graph_.guards[at].outer) {
      const Stmt *loop = graph_.guards[at].loop;
      if (!loop)
        return; // Under a condition: how often is not known.
      if (loop->kind != program::StmtKind::For)
        break;
      std::optional<int64_t> low = loop->ops[0]->value.constant(),
                             high = loop->ops[1]->value.constant();
      if (!low || !high || (loop->ops.size() > 2 && loop->ops[2]) ||
          __builtin_mul_overflow(turns, *high - *low, &turns))
        return;
      break; // Of an outer loop it is not known here whether it waits.
    }
    if (turns > most)
      context_.sink.report<Rule::TooManyOutstanding>(step.range(), turns, most);
  }

  //===--- Memory ---===//

  void checkTargets(const Post &post, const State &state) {
    for (const Post &other : state)
      if (!other.isCovered && !other.isMaybe && !other.isSame(post) && !isOneQueue(post, other) &&
          relate(post.target, other.target) == Relation::Overlap) {
        Finding &finding = context_.sink.report<Rule::DestinationsOverlap>(
            post.step->range(), nameOf(*post.step), context_.text(post.step->operand("dst")),
            nameOf(*other.step));
        context_.sink.note(finding, other.step->range(), "the other one is posted here");
      }
  }

  void checkTouches(const Step &step, const State &state) {
    bool isPost = info(step.expr->intrinsic).pipe == PipeUse::Engine;
    for (const Touch &touch : touchesOf(graph_, step))
      for (const Post &post : state) {
        if (post.isCovered)
          continue;
        checkScratch(step, touch, post);
        // Two writes of two queues have a rule of their own; one queue keeps its order.
        if (isPost && touch.writes)
          continue;
        bool hitsTarget = relate(touch.region, post.target) == Relation::Overlap;
        bool hitsSource = touch.writes && relate(touch.region, post.source) == Relation::Overlap;
        if (hitsTarget || hitsSource)
          reportInFlight(step, touch, post, hitsTarget);
      }
  }

  void reportInFlight(const Step &step, const Touch &touch, const Post &post, bool hitsTarget) {
    if (post.isMaybe)
      return context_.unknown("whether the transfer at " + context_.place(post.step->range()) +
                              " is complete when its buffer is used at " +
                              context_.place(step.range()));
    Finding &finding = context_.sink.report<Rule::BufferInFlight>(
        step.range(), nameOf(step), touch.writes ? "writes" : "reads", context_.text(touch.operand),
        nameOf(*post.step), hitsTarget ? "writes" : "reads");
    context_.sink.note(finding, post.step->range(), "it is posted here");
  }

  void checkScratch(const Step &step, const Touch &touch, const Post &post) {
    const Expr *session = post.session.expr;
    if (touch.region.space != Space::Tile || !session || session->ops.empty() || !session->ops[0] ||
        post.isMaybe)
      return;
    Region scratch = regionOf(graph_, post.session.frame, session->ops[0]);
    if (relate(scratch, touch.region) != Relation::Overlap)
      return;
    Finding &finding = context_.sink.report<Rule::ScratchInFlight>(
        step.range(), nameOf(step), touch.writes ? "writes" : "reads", context_.text(touch.operand),
        nameOf(*post.step));
    context_.sink.note(finding, post.step->range(), "it is posted here");
  }

  const Graph &graph_;
  Context &context_;
};

} // namespace

void followSessions(const Graph &graph, Context &context) {
  SessionFlow analysis(graph, context);
  solve(graph, context, analysis, "what its transfers have done");
}

} // namespace pto::flow_detail
