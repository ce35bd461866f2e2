#include "harness/store/journal/lease_owner.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "harness/base/posix/descriptor.h"
#include "harness/base/posix/program.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

/// The first line of a file of the system; empty where there is none.
std::string system_line(const fs::path& file) {
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(4096, '\0');
  const ssize_t count = open.is_open() ? ::read(open.get(), text.data(), text.size()) : 0;
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text.substr(0, text.find('\n'));
}

/// When a process was started, in ticks since the boot; empty where there is no such process, or only what is left of one.
/// Fields 3 and 22 of proc(5)'s stat, counted after the name in brackets, which may hold blanks.
std::string start_of(std::int64_t pid) {
  const std::string line = system_line(fmt::format("/proc/{}/stat", pid));
  const std::size_t name_end = line.rfind(')');
  if (name_end == line.npos) return "";
  std::istringstream fields(line.substr(name_end + 1));
  std::string word;
  for (int field = 3; fields >> word; ++field) {
    if (field == 3 && (word == "Z" || word == "X")) return "";
    if (field == 22) return word;
  }
  return "";
}

/// Which numbering of processes this one is in: containers of one machine have their own.
std::string numbering() {
  std::error_code error;
  return fs::read_symlink("/proc/self/ns/pid", error).string();
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The job of Slurm that this process belongs to; empty where there is none.
std::string slurm_job() {
  const std::string job = variable("SLURM_ARRAY_JOB_ID"), index = variable("SLURM_ARRAY_TASK_ID");
  return job.empty() ? variable("SLURM_JOB_ID") : job + "_" + index;
}

}  // namespace

std::string LeaseOwner::text() const {
  if (pid == 0) return "another process";
  return fmt::format("process {} on host '{}'{}", pid, host,
                     job.empty() ? "" : fmt::format(" (job {})", job));
}

LeaseOwner this_process() {
  LeaseOwner owner{.pid = ::getpid(),
                   .host = host_name(),
                   .boot = system_line("/proc/sys/kernel/random/boot_id") + numbering(),
                   .started = start_of(::getpid()),
                   .job = slurm_job()};
  owner.restart = std::atoll(variable("SLURM_RESTART_COUNT").c_str());
  return owner;
}

std::optional<bool> is_dead_here(const LeaseOwner& owner, const LeaseOwner& here) {
  if (owner.host != here.host || here.boot.empty() || owner.boot != here.boot) return std::nullopt;
  return start_of(owner.pid) != owner.started;
}

}  // namespace ablate::store
