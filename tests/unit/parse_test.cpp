// Every construct of docs/language.md is read, and gets the tree that it means.
#include "unit/parse_fixture.h"

namespace pto::test {

static constexpr const char *kDeclarations = R"pto(
import std.collective;
import shmem;
import "lib/ring.pto" as ring;
const N: i32 = 1 << 10;
window recv:  f32[ranks, N];
window flags: signal[ranks, 16];
window ready: signal;
window heap:  bf16[4096] align 512;
window seen:  i32[16] align 64 = 0;
local  work:  f32[N];
/// The next rank.
fn next(p: i32) -> i32 { return (p + 1) % ranks; }
fn copy<T, const n: i32>(dst: remote T[n], src: gm T[n], s: session<SDMA>) -> event {
    return tput_async(dst, src, s);
}
fn all(w: window f32[4], t: tile f32[2, 2], g: group f32[4], sig: gm signal, e: event, k: token,
       r: remote signal[2, 2],) {}
kernel k(n: i32, peer: i32 = 0) { }
kernel k2() sync auto { }
host main(ranks = 2, blocks = 1) { }
host plain { }
test "name" (ranks = 4, blocks = 2, target = a3) { }
test "bare" { }
#[allow(wait-unreachable-1d, "the partner is a test double")]
window quiet: signal = 0;
)pto";

static constexpr const char *kDevice = R"pto(
kernel k(n: i32, p: i32) sync auto {
    let x: i32 = 4;
    var y = x;
    y = x; y += 1; y -= 1; y *= 2; y /= 2; y %= 2; y <<= 1; y >>= 1; y &= 1; y |= 1; y ^= 1;
    if y == 0 { } else if y > 1 && !(y < 2) || ~y != 3 { } else { }
    for i in 0..n { continue; }
    for i in a..b step 2 { break; }
    while y < 10 { y += 1; }
    loop { break; }
    { let inner = 0; }
    assert(y == 0, "text {}", x); print("text {} {}\n", y, 0x1F, 0b1_0, 1_000, 1.5, 1e-3, 2.5e+10);
    tile t: f32[64, 64];
    tile fixed: f32[64, 64] at 0x10000 valid [r, c];
    let s = session<SDMA>(t, sync_id = 0, block_bytes = 1 << 20, offset = 0, queues = 1) else { return; };
    let u = session<URMA>();
    let e = tput_async_notify(recv@p[rank, ..], work, flags[3]@p, 1, Set, s);
    wait(e); let ok = wait(e); if test(e) { test(e); }
    let t1 = tput(recv@(p + 1)[rank], work, t, atomic = AtomicAdd);
    tput(recv[rank, ..]@0, work[a..b], t) after t1, t2;
    let t3 = tload(t, work[a..b step 2]) after t1;
    twait(ready, 1, EQ) from p;
    let late = ttest(ready, 1, GE) from p;
    tnotify(flags[3]@p, value = 1, op = AtomicAdd);
    treduce(group(recv, members = [0, 2, 4], root = 0), work, t, t, op = Sum);
    view(work, offset = o, shape = [2, 2], stride = [8, 1]); work.reshape[n]; x[..b]; x[a..]; x[..];
    set_flag(MTE2, MTE3, 0); pipe_barrier(ALL); dcci(); dcci(work); syncall();
    store(work[i], f32(load(work[j])));
    shmem.set_atomic_add(f16); shmem.wait_until(ready, EQ, 1); collective.ring_allgather(recv);
    #[allow(gm-race, "measured")]
    dsb();
    let from = 1; let to = from + after + at + on + step + where + within + valid + as + auto + stream;
    return;
}
)pto";

static constexpr const char *kHost = R"pto(
host main(ranks = 2) {
    fill w[i, j] = f32(i * 8 + j) where i < j;
    fill w = 5; fill w from "file.npy"; save w to "file.npy";
    launch k(1, n = 2); launch lib.k(1) blocks 4 on stream 1; launch k() on stream 2;
    sync; barrier(); let h = hash(rank, 4);
    expect w[i] == f32(i); expect w[i] ~= 1.0 within 1e-3; expect x == y where rank == 0;
    expect status == SUCCESS; expect violation(gm-race); expect violation(wait-unreachable-1d);
    if rank == 0 {
        let e = hixl.engine("10.0.0.1:26000");
        let st = e.initialize({ "BufferPool": "0:0" });
        let h = e.register_mem(kv, DEVICE);
        barrier();  barrier();  e.finalize();
    } else {
        e.initialize({});
        expect e.connect("10.0.0.1:26000", timeout_ms = 1000) == SUCCESS;
        let req = e.transfer_async("10.0.0.1:26000", READ, [(kv[0..4096], kv@0[0..4096])]);
        while e.transfer_status(req) == WAITING { yield; }
        e.disconnect("10.0.0.1:26000");  e.deregister_mem(h);
    }
    expect kv[i] == f32(i) where rank == 1;
}
)pto";

TEST(Parse, ReadsEveryDeclaration) {
  Parsed parsed(kDeclarations);
  EXPECT_EQ(parsed.said(), "");
  EXPECT_EQ(parsed.file->items.size(), 20u);
  EXPECT_FALSE(parsed.file->isBroken);
}

TEST(Parse, ReadsDeviceCode) { EXPECT_EQ(Parsed(kDevice).said(), ""); }

TEST(Parse, ReadsHostCode) { EXPECT_EQ(Parsed(kHost).said(), ""); }

TEST(Parse, ReadsNonAsciiText) {
  Parsed parsed("// 中文\nwindow w: f32[4]; /* ü */\ntest \"é → 文\" { print(\"文\"); }\n");
  EXPECT_EQ(parsed.said(), "");
  EXPECT_EQ(llvm::cast<ast::TestItem>(parsed.file->items[1])->name, "é → 文");
}

TEST(Parse, ReadsPastAByteOrderMark) {
  Parsed parsed("\xEF\xBB\xBFwindow w: f32[4];");
  EXPECT_EQ(parsed.said(), "");
  EXPECT_EQ(parsed.file->items[0]->range.begin, 3u);
}

/// An expression with all of its brackets.
static std::string bracketed(const ast::Expr *expr) {
  if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr))
    return "(" + bracketed(binary->left) + ast::spelling(binary->op).str() +
           bracketed(binary->right) + ")";
  if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(expr))
    return "(" + ast::spelling(unary->op).str() + bracketed(unary->operand) + ")";
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(expr))
    return name->name.str();
  return ast::name(expr->kind).str();
}

static std::string precedenceOf(llvm::StringRef expression) {
  Parsed parsed(("const x: i32 = " + expression + ";").str());
  EXPECT_EQ(parsed.said(), "");
  return bracketed(llvm::cast<ast::ConstItem>(parsed.file->items[0])->value);
}

TEST(Parse, PrecedenceIsCsButForBits) {
  EXPECT_EQ(precedenceOf("a + b * c - d"), "((a+(b*c))-d)");
  EXPECT_EQ(precedenceOf("a || b && c == d"), "(a||(b&&(c==d)))");
  EXPECT_EQ(precedenceOf("a & b == c"), "((a&b)==c)");
  EXPECT_EQ(precedenceOf("a | b ^ c & d << e + f"), "(a|(b^(c&(d<<(e+f)))))");
  EXPECT_EQ(precedenceOf("a < b == c >= d"), "((a<b)==(c>=d))");
  EXPECT_EQ(precedenceOf("(a + b) * c / d % e"), "((((a+b)*c)/d)%e)");
  EXPECT_EQ(precedenceOf("-a * !b - ~-c"), "(((-a)*(!b))-(~(-c)))");
  EXPECT_EQ(precedenceOf("a - b - c"), "((a-b)-c)");
}

TEST(Parse, SuffixesBindTighterThanPrefixes) {
  Parsed parsed("const x: i32 = -w@p[1].y(2);");
  EXPECT_EQ(parsed.said(), "");
  const auto *item = llvm::cast<ast::ConstItem>(parsed.file->items[0]);
  const auto *minus = llvm::cast<ast::UnaryExpr>(item->value);
  const auto *call = llvm::cast<ast::CallExpr>(minus->operand);
  const auto *member = llvm::cast<ast::MemberExpr>(call->callee);
  const auto *subscript = llvm::cast<ast::SubscriptExpr>(member->base);
  EXPECT_EQ(parsed.sources.text(subscript->range), "w@p[1]");
  EXPECT_EQ(parsed.sources.text(llvm::cast<ast::AtExpr>(subscript->base)->range), "w@p");
}

TEST(Parse, RangesCoverTheWholeConstruct) {
  Parsed parsed("/// One.\n\n/// Two.\n/// Three.\n#[allow(a-1d, \"b\")]\nwindow w: f32[4];\n");
  const ast::Item *item = parsed.file->items[0];
  EXPECT_EQ(parsed.sources.text(item->range), "#[allow(a-1d, \"b\")]\nwindow w: f32[4];");
  EXPECT_EQ(parsed.sources.text(item->nameRange), "w");
  EXPECT_EQ(item->doc, "/// Two.\n/// Three.");
  ASSERT_EQ(item->allows.size(), 1u);
  EXPECT_EQ(item->allows[0]->slug, "a-1d");
  EXPECT_EQ(item->allows[0]->reason, "b");
}

TEST(Parse, ElseIfNestsToTheRight) {
  Parsed parsed("kernel k() { if a { } else if b { } else { } }");
  const auto *body =
      llvm::cast<ast::Block>(llvm::cast<ast::KernelItem>(parsed.file->items[0])->body);
  const auto *first = llvm::cast<ast::IfStmt>(body->statements[0]);
  const auto *second = llvm::cast<ast::IfStmt>(first->otherwise);
  EXPECT_EQ(parsed.sources.text(second->range), "if b { } else { }");
  EXPECT_TRUE(llvm::isa<ast::Block>(second->otherwise));
}

TEST(Parse, DumpsTokensWithComments) {
  Sources sources;
  FileId id = sources.add("t.pto", "/// Doc\nx = 0..5; /* a /* b */ */ \"文\\n\"");
  std::string text;
  llvm::raw_string_ostream out(text);
  dumpTokens(out, sources, id);
  EXPECT_EQ(text, "1:1 DOC_COMMENT \"/// Doc\"\n2:1 IDENT \"x\"\n2:3 ASSIGN \"=\"\n2:5 INT \"0\"\n"
                  "2:6 RANGE \"..\"\n2:8 INT \"5\"\n2:9 SEMI \";\"\n"
                  "2:11 BLOCK_COMMENT \"/* a /* b */ */\"\n2:27 STRING \"\\\"文\\\\n\\\"\"\n");
}

} // namespace pto::test
