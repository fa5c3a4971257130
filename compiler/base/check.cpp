#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace pto {

void internalError(const char *file, int line, const char *what) {
  std::fprintf(stderr,
               "pto: internal error: %s (%s:%d)\n"
               "This is a fault of pto, not of your program; please report it with the input.\n",
               what, file, line);
#ifdef PTO_FUZZ
  std::abort(); // A fuzzer must see it as a crash.
#else
  std::_Exit(4);
#endif
}

} // namespace pto
