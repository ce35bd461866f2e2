// Decides which call fails.

#include "tests/faults/shim/fault.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string_view>

namespace ablate::faults {
namespace {

struct State {
  std::atomic<std::uint64_t> calls;
  std::atomic<std::uint64_t> lasts;  // 1 once a fault has begun that lasts
};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// The state that all processes share; null where nothing is to be counted.
State* shared_state() {
  const int file = static_cast<int>(
      ::syscall(SYS_openat, AT_FDCWD, variable("FAULT_STATE").c_str(), O_RDWR | O_CLOEXEC));
  if (file < 0) return nullptr;
  void* const memory = ::mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<State*>(memory);
}

/// What the environment asks for.
struct Orders {
  State* state = shared_state();
  std::string folder = variable("FAULT_FOLDER") + "/";
  std::string log = variable("FAULT_LOG");
  std::string kind = variable("FAULT_KIND");
  std::uint64_t at = std::strtoull(variable("FAULT_AT").c_str(), nullptr, 10);
  bool counts = variable("FAULT_PROGRAM") == program_invocation_short_name;
};

const Orders& orders() {
  static const Orders* const all = new Orders;  // outlives the destructors of the program
  return *all;
}

std::string link_target(const std::string& link) {
  char target[PATH_MAX];
  const ssize_t size = ::readlink(link.c_str(), target, sizeof target);
  return size < 0 ? "" : std::string(target, static_cast<std::size_t>(size));
}

void log_call(std::uint64_t number, const char* call, std::string_view path) {
  if (orders().log.empty()) return;
  const std::string line = std::to_string(number) + " " + call + " " + std::string(path) + "\n";
  const auto file = ::syscall(SYS_openat, AT_FDCWD, orders().log.c_str(),
                              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  ::syscall(SYS_write, file, line.data(), line.size());
  ::syscall(SYS_close, file);
}

void raise_ordered_signal() {
  static const std::map<std::string, int> numbers = {{"SIGKILL", SIGKILL}, {"SIGTERM", SIGTERM}};
  if (const auto found = numbers.find(orders().kind); found != numbers.end())
    ::kill(::getpid(), found->second);
}

}  // namespace

std::string path_of(int file) { return link_target("/proc/self/fd/" + std::to_string(file)); }

std::string path_at(int base, const char* path) {
  if (path[0] == '/') return path;
  return (base == AT_FDCWD ? link_target("/proc/self/cwd") : path_of(base)) + "/" + path;
}

Fault fault_of(const char* call, const std::string& path, bool needs_space) {
  const Orders& all = orders();
  if (!all.state || !path.starts_with(all.folder)) return {};
  std::uint64_t number = 0;
  if (all.counts) {
    number = ++all.state->calls;
    log_call(number, call, std::string_view(path).substr(all.folder.size()));
  }
  const bool struck = number > 0 && number == all.at;
  if (struck) raise_ordered_signal();
  if (struck && all.kind == "EIO") return {.error = EIO};
  if (struck) all.state->lasts = 1;
  const bool full = all.kind == "ENOSPC" && all.state->lasts && needs_space;
  return {.error = full ? ENOSPC : 0, .first = struck};
}

long clock_error() {
  constexpr long kDay = 24 * 60 * 60;
  const Orders& all = orders();
  return all.state && all.kind == "CLOCK" && all.state->lasts ? -kDay : 0;
}

}  // namespace ablate::faults
