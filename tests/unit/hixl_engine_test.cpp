//===- hixl_engine_test.cpp - engines and their memory, from call to call ------===//
#include "unit/hixl_run.h"

#include "llvm/Support/raw_ostream.h"

#include <regex>

namespace pto::test {

TEST(HixlEngineRun, ACleanLifeIsSilent) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlRun run;
    uint32_t server = run.ready(1, optionsOf(kind), false), client = run.add(2);
    uint32_t there = run.memory(server, 1, 0, 4096).id;
    EXPECT_EQ(run.initialize(client, "10.0.0.2", optionsOf(kind)), "SUCCESS");
    uint32_t here = run.memory(client, 2, 0, 4096).id;
    EXPECT_EQ(run.connect(client, 1), "SUCCESS");
    EXPECT_EQ(run.read(client, 1), "SUCCESS") << kind;
    ASSERT_EQ(run.copies.size(), 1u);
    EXPECT_EQ(run.copies[0].from.host, 1);
    EXPECT_EQ(run.copies[0].to.host, 2);
    EXPECT_EQ(run.disconnect(client, 1), "SUCCESS");
    EXPECT_EQ(run.deregister(client, here), "SUCCESS");
    EXPECT_EQ(run.finalize(client), "SUCCESS");
    EXPECT_EQ(run.deregister(server, there), "SUCCESS");
    EXPECT_EQ(run.finalize(server), "SUCCESS");
    run.finish();
    EXPECT_EQ(run.said(), "") << kind;
  }
}

// T-31, T-32: HX-ENG-01, HX-ENG-02, HX-ENG-13
TEST(HixlEngineRun, NoCallBeforeAndAfter) {
  HixlRun run;
  uint32_t engine = run.add(1);
  for (size_t kind = 0; kind != hixlCalls().size(); ++kind) {
    HixlCall call = run.of(engine, HixlCallKind(kind));
    call.remote = HixlRun::nameOf(2);
    bool isOk = hixlCalls()[kind].in[0] == HixlCase::Fine;
    if (HixlCallKind(kind) == HixlCallKind::Initialize)
      continue;
    EXPECT_EQ(run.text(run.go(call).status), isOk ? "SUCCESS" : "FAILED");
    EXPECT_EQ(run.said(), isOk ? "" : "HX-ENG-01") << hixlCalls()[kind].name.str();
  }
  EXPECT_EQ(run.initialize(engine, HixlRun::nameOf(1), {{"AutoConnect", "2"}}), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-OPT-03");
  EXPECT_EQ(run.connect(engine, 2), "FAILED");
  EXPECT_EQ(run.misuses.back().other, run.sites - 1);
  EXPECT_EQ(run.said(), "HX-ENG-13");
  EXPECT_EQ(run.initialize(engine, HixlRun::nameOf(1), {}), "SUCCESS");
  EXPECT_EQ(run.finalize(engine), "SUCCESS");
  EXPECT_EQ(run.connect(engine, 2), "FAILED");
  EXPECT_EQ(run.said(), "HX-ENG-02");
  EXPECT_EQ(run.finalize(engine), "SUCCESS");
  EXPECT_EQ(run.said(), "");
}

// T-20, T-21, HX-ENG-03, HX-ENG-09 to HX-ENG-11
TEST(HixlEngineRun, Initialize) {
  HixlRun run;
  uint32_t engine = run.add(1), other = run.add(2);
  EXPECT_EQ(run.initialize(engine, "ad.0.0.1:26200", {}), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-ENG-09");
  EXPECT_EQ(run.initialize(engine, "10.0.0.1:26000",
                           {{"GlobalResourceConfig", R"({"connect_pool.thread_num": "0"})"}}),
            "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-OPT-14");
  EXPECT_EQ(run.initialize(engine, "10.0.0.1:26000", {}), "SUCCESS");
  EXPECT_EQ(run.initialize(engine, "10.0.0.1:26001", {}), "FAILED");
  EXPECT_EQ(run.said(), "HX-ENG-03");
  EXPECT_EQ(run.initialize(other, "10.0.0.1:26000", {}), "FAILED");
  EXPECT_EQ(run.said(), "HX-ENG-10");
  EXPECT_EQ(run.initialize(other, "127.0.0.1:26000", {}), "SUCCESS");
  EXPECT_EQ(run.said(), "HX-ENG-11?");
  run.finish();
  EXPECT_EQ(run.said(), "HX-ENG-04 HX-ENG-04");
}

TEST(HixlEngineRun, Capability) {
  HixlRun run;
  HixlCall call = run.of(run.add(0), HixlCallKind::GetCapability);
  EXPECT_EQ(run.go(call).capability, 1);
  EXPECT_EQ(run.said(), "");
  call.feature = 77;
  EXPECT_EQ(run.text(run.go(call).status), "SUCCESS");
  EXPECT_EQ(run.said(), "HX-ENG-14~");
  call.feature = -1;
  EXPECT_EQ(run.text(run.go(call).status), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-ENG-14~");
}

// HX-ENG-07, HX-ENG-08, HX-ENG-15, HX-ENG-06
TEST(HixlEngineRun, FinalizeOutOfOrder) {
  HixlRun run;
  uint32_t server = run.ready(1, optionsOf('S'), false),
           client = run.ready(2, optionsOf('S'), false);
  run.memory(server, 1, 0, 4096);
  run.connect(client, 1);
  EXPECT_EQ(run.finalize(server), "SUCCESS");
  EXPECT_EQ(run.said(), "HX-ENG-07 HX-ENG-15?");
  EXPECT_EQ(run.finalize(client), "SUCCESS");
  EXPECT_EQ(run.said(), "HX-ENG-15?");

  HixlRun busy;
  server = busy.ready(1, optionsOf('S'));
  client = busy.ready(2, optionsOf('S'));
  busy.connect(client, 1);
  uint32_t request = busy.start(client, 1, kSlow);
  busy.finalize(server);
  EXPECT_EQ(busy.said(), "HX-ENG-08 HX-ENG-15?");
  EXPECT_EQ(busy.query(client, request), "SUCCESS FAILED");
  EXPECT_EQ(busy.copies.size(), 0u);

  HixlRun during;
  server = during.ready(1, optionsOf('S'), false);
  client = during.ready(2, optionsOf('S'), false);
  HixlCall connect = during.of(client, HixlCallKind::Connect);
  connect.remote = HixlRun::nameOf(1);
  during.begin(connect);
  EXPECT_FALSE(during.ended);
  during.finalize(client);
  EXPECT_EQ(during.said(), "HX-ENG-06");
  during.passMs(100);
  EXPECT_EQ(during.wakes.size(), 1u);
  EXPECT_EQ(during.text(during.wakes[0].answer.status), "FAILED");
  EXPECT_EQ(during.said(), ""); // It has been told.
}

namespace {
struct Row {
  char kind;
  int64_t offset, bytes;
  const char *status;
  const char *says;
};
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr Row kRows[] = {
    {'S', 100, 100, "SUCCESS", "HX-MEM-04?"},      {'F', 100, 100, "SUCCESS", "HX-MEM-04?"},
    {'S', 150, 100, "PARAM_INVALID", "HX-MEM-03"}, {'F', 150, 100, "PARAM_INVALID", "HX-MEM-03"},
    {'M', 150, 100, "SUCCESS", "HX-MEM-03"},       {'S', 200, 100, "SUCCESS", ""},
    {'S', 0, 0, "SUCCESS", "HX-MEM-01"},           {'F', 0, 0, "PARAM_INVALID", "HX-MEM-01"},
    {'M', -1, 8, "PARAM_INVALID", "HX-MEM-01"},    {'M', 8, kMost, "PARAM_INVALID", "HX-MEM-02"},
    {'S', 8, kMost, "PARAM_INVALID", "HX-MEM-02"},
};
} // namespace

// T-55, T-56: HX-MEM-01 to HX-MEM-04, HX-MEM-09, HX-MEM-10, HX-MEM-19
TEST(HixlEngineRun, Memory) {
  for (const Row &row : kRows) {
    HixlRun run;
    uint32_t engine = run.ready(1, optionsOf(row.kind), false);
    uint32_t first = run.memory(engine, 1, 100, 100).id;
    HixlAnswer answer = run.memory(engine, 1, row.offset, row.bytes);
    EXPECT_EQ(run.text(answer.status), row.status) << row.kind << row.offset;
    EXPECT_EQ(run.said(), row.says) << row.kind << row.offset;
    EXPECT_EQ(answer.id == first, llvm::StringRef(row.says) == "HX-MEM-04?");
    EXPECT_EQ(run.text(run.memory(engine, 1, 150, 100, HixlMemType::Host).status), "SUCCESS");
    EXPECT_EQ(run.deregister(engine, first), "SUCCESS");
    EXPECT_EQ(run.said(), "");
    EXPECT_EQ(run.deregister(engine, first), "SUCCESS");
    EXPECT_EQ(run.said(), "HX-MEM-09~");
    EXPECT_EQ(run.deregister(engine, 0), "PARAM_INVALID");
    EXPECT_EQ(run.said(), "HX-MEM-10");
  }
  HixlRun run;
  uint32_t engine = run.ready(1, {}, false);
  EXPECT_EQ(run.deregister(engine, 4711), "SUCCESS");
  EXPECT_EQ(run.said(), "HX-MEM-09~");
  HixlCall call = run.of(engine, HixlCallKind::RegisterMem);
  call.place = {1, HixlMemType::Host, 0};
  call.bytes = 8;
  EXPECT_EQ(run.text(run.go(call).status), "SUCCESS");
  EXPECT_EQ(run.said(), "HX-MEM-19");
}

// HX-MEM-13, HX-MEM-14, HX-MEM-20
TEST(HixlEngineRun, MemoryLimits) {
  HixlRun run;
  uint32_t server = run.ready(1, optionsOf('S'), false),
           client = run.ready(2, optionsOf('S'), false);
  for (int64_t i = 0; i != 4096; ++i)
    run.memory(server, 1, i * 2, 1);
  EXPECT_EQ(run.said(), "");
  run.memory(server, 1, 1 << 20, 1);
  EXPECT_EQ(run.said(), "HX-MEM-13?");
  EXPECT_EQ(run.connect(client, 1), "PARAM_INVALID");
  EXPECT_EQ(run.said(), "HX-MEM-13");
  run.memory(client, 2, 0, 53687091201);
  EXPECT_EQ(run.said(), "HX-MEM-14?");

  HixlRun mapped;
  Options small = optionsOf('F');
  small.push_back({"GlobalResourceConfig", R"({"fabric_memory.max_capacity": 1})"});
  server = mapped.ready(1, small, false);
  client = mapped.ready(2, small, false);
  mapped.memory(server, 1, 0, int64_t(1025) << 30, HixlMemType::Host);
  mapped.said();
  EXPECT_EQ(mapped.connect(client, 1), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(mapped.said(), "HX-MEM-20");
}

// HX-MEM-07, HX-MEM-08, HX-REQ-13
TEST(HixlEngineRun, DeregisterUnderALink) {
  for (char kind : {'M', 'S', 'F'}) {
    HixlRun run;
    bool isFree = kind == 'M';
    uint32_t server = run.ready(1, optionsOf(kind), false);
    uint32_t client = run.ready(2, optionsOf(kind), false);
    uint32_t there = run.memory(server, 1, 0, 4096).id, here = run.memory(client, 2, 0, 4096).id;
    run.connect(client, 1);
    uint32_t request = run.start(client, 1);
    EXPECT_EQ(run.deregister(client, here), isFree ? "SUCCESS" : "FAILED");
    EXPECT_EQ(run.said(), "HX-REQ-13");
    run.passMs(10);
    EXPECT_EQ(run.query(client, request), "SUCCESS COMPLETED");
    here = isFree ? run.memory(client, 2, 0, 4096).id : here;
    EXPECT_EQ(run.deregister(client, here), isFree ? "SUCCESS" : "FAILED");
    EXPECT_EQ(run.said(), "HX-MEM-07");
    EXPECT_EQ(run.deregister(server, there), "SUCCESS");
    EXPECT_EQ(run.said(), "HX-MEM-08") << kind;
  }
}

TEST(HixlEngineRun, StatesArePrintedFromTheirRows) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const HixlTable &table : hixlStateTables())
    table.write(out);
  text = std::regex_replace(text, std::regex(" +"), " "); // However wide the columns are.
  for (llvm::StringRef row :
       {" disconnect FAILED HX-ENG-01 NOT_CONNECTED HX-CON-06 ok ",
        " deregister_mem FAILED HX-ENG-01 ok SUCCESS/FAILED/FAILED HX-MEM-07 ",
        " a worker connects CONNECTING CONNECTING stays CONNECTING CONNECTING stays "})
    EXPECT_NE(text.find(row.str()), std::string::npos) << text;
}

} // namespace pto::test
