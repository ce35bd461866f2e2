// A library to preload (LD_PRELOAD): a worker stands still before each line of a journal, until the
// test that watches it lets it go on. tests/end_to_end/pauses.h is the test's side.
//
//   PAUSE_SAYS   the descriptor to which a byte is written as the worker stands still
//   PAUSE_HEARS  the descriptor from which a byte is read before it goes on; once that is at its end,
//                the worker goes on without

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace {

using Write = ssize_t (*)(int, const void*, size_t);

const Write next_write = reinterpret_cast<Write>(::dlsym(RTLD_NEXT, "write"));

/// The descriptor that a variable names; negative where it names none.
int descriptor_in(const char* variable) {
  const char* const number = ::getenv(variable);
  return number == nullptr ? -1 : ::atoi(number);
}

bool is_journal(int file) {
  char target[PATH_MAX];
  const ssize_t size =
      ::readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), target, sizeof target);
  return size > 0 &&
         std::string_view(target, static_cast<size_t>(size)).ends_with("/journal.jsonl");
}

void stand_still() {
  static const int says = descriptor_in("PAUSE_SAYS"), hears = descriptor_in("PAUSE_HEARS");
  char byte = 0;
  while (next_write(says, &byte, 1) < 0 && errno == EINTR) continue;
  while (::read(hears, &byte, 1) < 0 && errno == EINTR) continue;  // a signal is no word to go on
}

bool is_worker() { return std::string_view(program_invocation_short_name) == "ablate-worker"; }

}  // namespace

extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  static const bool stands_still = is_worker();
  if (stands_still && is_journal(file)) stand_still();
  return next_write(file, bytes, size);
}
