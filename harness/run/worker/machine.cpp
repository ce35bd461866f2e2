#include "harness/run/worker/machine.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "harness/base/error.h"
#include "harness/base/posix/program.h"

namespace ablate::run {

std::filesystem::path find_worker() {
  const char* named = std::getenv("ABLATE_WORKER");
  const std::filesystem::path worker =
      named && *named ? std::filesystem::path(named) : program_folder() / "ablate-worker";
  if (::access(worker.c_str(), X_OK) != 0 || std::filesystem::is_directory(worker))
    reject(
        "{}: the worker is not an executable program; build the target ablate-worker, or give its "
        "path in the environment variable ABLATE_WORKER",
        worker.string());
  return std::filesystem::absolute(worker);
}

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

double monotonic_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace ablate::run
