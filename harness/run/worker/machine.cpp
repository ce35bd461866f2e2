#include "harness/run/worker/machine.h"

#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "harness/base/error.h"
#include "harness/base/posix/program.h"

namespace ablate::run {

std::size_t usable_cores() {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::ifstream file("/sys/fs/cgroup/cpu.max");  // "QUOTA PERIOD" or "max PERIOD", microseconds
  double quota = 0, period = 0;
  if (!(file >> quota >> period) || period <= 0) return cores;
  const auto allowed = static_cast<std::size_t>(std::ceil(quota / period));
  return std::clamp<std::size_t>(allowed, 1, cores);
}

std::vector<int> core_numbers() {
  std::vector<int> numbers;
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return numbers;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &allowed)) numbers.push_back(core);
  return numbers;
}

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
