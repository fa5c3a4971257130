#include "source_text.h"

#include "llvm/ADT/StringRef.h"

namespace pto {

/// One exchange; `$` stands for its number.
static constexpr llvm::StringLiteral kExchange = R"pto(
// Exchange $: the payload goes to the next rank; a signal says that it has arrived.
const N$: i32 = 1 << 6;
window data$:  f32[N$];
window inbox$: f32[N$];
window flags$: signal[4, 4];
window ready$: signal;

/// The rank that exchange $ sends to.
fn next$(p: i32) -> i32 {
    if p + 1 == ranks {
        return 0;
    }
    return p + 1;
}

kernel put$() {
    let peer = next$(rank);
    tile scratch: u8[256];
    let s = session<SDMA>(scratch);
    let done = tput_async_notify(inbox$@peer, data$, ready$@peer, 1, Set, s);
    wait(done);
    twait(ready$, 1, EQ);
}

kernel scale$(factor: f32) {
    tile a: f32[1, 64];
    tile b: f32[1, 64];
    for step in 0..4 {
        let loaded = tload(a, inbox$);
        let stored = tstore(data$, a) after loaded;
        pipe_barrier(ALL);
    }
    tnotify(flags$[1, 2]@((rank + 1) % ranks), value = 1, op = AtomicAdd);
    twait(flags$[1, 2], 1, GE);
}

test "exchange $" (ranks = 4) {
    fill data$[i] = f32(rank * 1000 + i);
    launch put$();
    expect inbox$[i] == f32((rank + ranks - 1) % ranks * 1000 + i);
    launch scale$(2.0);
    sync;
    expect ready$ == 1;
}
)pto";

std::string makeSource(size_t bytes) {
  std::string source;
  source.reserve(bytes + 2 * kExchange.size());
  for (unsigned number = 0; source.size() < bytes; ++number) {
    llvm::StringRef rest = kExchange;
    while (!rest.empty()) {
      auto [text, after] = rest.split('$');
      source += text;
      if (text.size() < rest.size())
        source += std::to_string(number);
      rest = after;
    }
  }
  return source;
}

} // namespace pto
