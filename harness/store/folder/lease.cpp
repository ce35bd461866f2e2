#include "harness/store/folder/lease.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/base/posix/descriptor.h"
#include "harness/base/posix/program.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "lease.";
constexpr std::size_t kLargest = 4096;  // bytes of a lease

/// The first line of a file of the system; empty where there is none.
std::string system_line(const fs::path& file) {
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(kLargest, '\0');
  const ssize_t count = open.is_open() ? ::read(open.get(), text.data(), text.size()) : 0;
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text.substr(0, text.find('\n'));
}

/// When a process was started, in ticks since the boot; empty where there is no such process. Field 22 of proc(5)'s stat,
/// counted after the name in brackets, which may hold blanks.
std::string start_of(std::int64_t pid) {
  std::string line = system_line(fmt::format("/proc/{}/stat", pid));
  const std::size_t name_end = line.rfind(')');
  if (name_end == line.npos) return "";
  std::size_t at = name_end;
  for (int field = 2; field < 22 && at != line.npos; ++field) at = line.find(' ', at + 1);
  if (at == line.npos) return "";
  return line.substr(at + 1, line.find(' ', at + 1) - at - 1);
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

Json to_json(const LeaseOwner& owner, std::int64_t beats, bool released) {
  return {{"pid", owner.pid},         {"host", owner.host},  {"boot", owner.boot},
          {"started", owner.started}, {"job", owner.job},    {"restart", owner.restart},
          {"beats", beats},           {"released", released}};
}

/// What a lease says; an owner without a name where it says nothing that can be read: it is just being written.
struct LeaseText {
  std::string text;
  LeaseOwner owner;
  bool released = false;
};

LeaseText read_lease(const fs::path& file) {
  LeaseText lease;
  try {
    lease.text = read_file(file, kLargest);
    const Json json = parse_json(lease.text);
    lease.owner = {json.at("pid"),     json.at("host"), json.at("boot"),
                   json.at("started"), json.at("job"),  json.at("restart")};
    lease.released = json.at("released");
  } catch (const std::exception&) {
    lease.owner = {};
  }
  return lease;
}

/// The highest number of a lease in a folder; 0 where there is none.
std::int64_t last_lease(const fs::path& folder) {
  std::int64_t last = 0;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    if (!is_lease(name)) continue;
    const std::string digits = name.substr(kName.size());
    if (digits.empty() || digits.size() > 9 ||
        digits.find_first_not_of("0123456789") != digits.npos)
      continue;
    last = std::max<std::int64_t>(last, std::stoll(digits));
  }
  return last;
}

}  // namespace

bool is_lease(std::string_view name) { return name.starts_with(kName); }

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
  if (owner.host != here.host || here.boot.empty() || owner.boot.empty()) return std::nullopt;
  return owner.boot != here.boot || start_of(owner.pid) != owner.started;
}

LeaseWatch::Sign LeaseWatch::sign(const fs::path& file, const std::string& text, double now) {
  const auto [entry, is_new] = seen_.try_emplace(file, Seen{text, now});
  Seen& seen = entry->second;
  if (is_new) return Sign::none;
  if (seen.text != text) {
    seen = {text, now};
    return Sign::alive;
  }
  return now - seen.since >= seconds_ ? Sign::still : Sign::none;
}

Lease::Lease(fs::path folder, std::int64_t number, LeaseOwner owner)
    : folder_(std::move(folder)), number_(number), owner_(std::move(owner)) {}

Lease::Lease(Lease&& other) noexcept { *this = std::move(other); }

Lease& Lease::operator=(Lease&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(number_, other.number_);
  std::swap(beats_, other.beats_);
  std::swap(owner_, other.owner_);
  return *this;
}

Lease::~Lease() {
  if (number_ > 0 && is_held()) write(true);
}

fs::path Lease::file(std::int64_t number) const {
  return folder_ / fmt::format("{}{}", kName, number);
}

bool Lease::is_held() const {
  std::error_code error;
  return number_ > 0 && fs::exists(file(number_), error) && !fs::exists(file(number_ + 1), error);
}

void Lease::write(bool released) const {
  // Opened anew each time: over a network, what is written is seen elsewhere once the file is closed.
  const Descriptor open(::open(file(number_).c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!open.is_open()) return;
  std::string text = to_json(owner_, beats_, released).dump();
  text.resize(std::max<std::size_t>(text.size(), 500),
              ' ');  // a shorter text leaves nothing of a longer one
  [[maybe_unused]] const ssize_t written = ::pwrite(open.get(), text.data(), text.size(), 0);
}

void Lease::beat() {
  if (!is_held()) return;
  ++beats_;
  write(false);
}

void Lease::end() {
  if (!is_held()) return;
  std::error_code error;
  fs::remove(file(std::exchange(number_, 0)), error);
}

/// Makes leases, which nothing else does.
class LeaseTaking {
 public:
  /// The lease of this number; nothing where another has created it first.
  static std::optional<Lease> create(const fs::path& folder, std::int64_t number,
                                     const LeaseOwner& owner) {
    Lease lease(folder, number, owner);
    const fs::path path = lease.file(number);
    const Descriptor created(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!created.is_open()) {
      const int error = errno;
      lease.number_ = 0;
      if (error == EEXIST) return std::nullopt;
      errno = error;
      fail_errno(path, "could not be created");
    }
    lease.write(false);
    std::error_code ignored;
    if (number > 1) fs::remove(lease.file(number - 1), ignored);
    return lease;
  }
};

LeaseReply take_lease(const fs::path& trial, const LeaseOwner& owner, LeaseWatch& watch,
                      double now) {
  if (::mkdir(trial.c_str(), 0777) != 0 && errno != EEXIST)
    fail_errno(trial, "could not be created");
  LeaseReply reply;
  const std::int64_t last = last_lease(trial);
  if (last > 0) {
    const fs::path file = trial / fmt::format("{}{}", kName, last);
    const LeaseText held = read_lease(file);
    reply.holder = held.owner;
    const std::optional<bool> dead = is_dead_here(held.owner, owner);
    const bool again =
        !owner.job.empty() && held.owner.job == owner.job && held.owner.restart < owner.restart;
    reply.sign = watch.sign(file, held.text, now);
    if (dead && !*dead) reply.sign = LeaseWatch::Sign::alive;
    const bool is_free =
        held.released || again || (dead ? *dead : reply.sign == LeaseWatch::Sign::still);
    if (!is_free) return reply;
  }
  reply.lease = LeaseTaking::create(trial, last + 1, owner);
  if (!reply.lease) reply.sign = LeaseWatch::Sign::alive;  // somebody was faster
  return reply;
}

}  // namespace ablate::store
