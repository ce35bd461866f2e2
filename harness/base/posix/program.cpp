#include "harness/base/posix/program.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <system_error>

namespace ablate {

std::filesystem::path program_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::uint32_t host_number() {
  return static_cast<std::uint32_t>(std::hash<std::string>()(host_name()));
}

bool is_running(std::int64_t pid) {
  return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM;
}

}  // namespace ablate
