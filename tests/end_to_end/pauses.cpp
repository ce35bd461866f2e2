#include "tests/end_to_end/pauses.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "tests/paths.h"

namespace ablate::testing_support {
namespace {

constexpr const char* kName = "the pauses of workers";

/// Lets the programs that this process executes have a descriptor, and tells them its number.
void hand_down(const char* variable, const Descriptor& file) {
  ::fcntl(file.get(), F_SETFD, 0);
  ::setenv(variable, std::to_string(file.get()).c_str(), 1);
}

}  // namespace

void Pauses::begin() const {
  ::setenv("LD_PRELOAD", (programs_folder() / "libablate_pauses.so").c_str(), 1);
  hand_down("PAUSE_SAYS", said_.writer);
  hand_down("PAUSE_HEARS", heard_.reader);
}

void Pauses::allow(std::int64_t lines) {
  write_all(heard_.writer, std::string(static_cast<std::size_t>(lines), 'x'), kName);
  allowed_ += lines;
}

bool Pauses::wait() {
  char bytes[4096];
  while (true) {
    const auto most = static_cast<std::size_t>(std::min<std::int64_t>(allowed_ + 1, sizeof bytes));
    const ssize_t got = ::read(said_.reader.get(), bytes, most);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    if (got > allowed_) break;
    allowed_ -= got;
  }
  allowed_ = 0;
  return true;
}

void Pauses::go_on() const { write_all(heard_.writer, "x", kName); }

}  // namespace ablate::testing_support
