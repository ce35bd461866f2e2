#include "harness/store/journal/lease.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <utility>

#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/base/posix/descriptor.h"
#include "harness/base/posix/sync_folder.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "lease.";
constexpr std::size_t kLargest = 4096;  // bytes of a lease

/// What a lease says; an owner without a name where it says nothing that can be read: it is just being written.
struct LeaseText {
  std::string text, word;
  LeaseOwner owner;
  double seconds = 0;
  bool released = false;
};

LeaseText read_lease(const fs::path& file) {
  LeaseText lease;
  try {
    lease.text = read_file(file, kLargest);
    const Json json = parse_json(lease.text);
    lease.owner = {json.at("pid"),     json.at("host"), json.at("boot"),
                   json.at("started"), json.at("job"),  json.at("restart")};
    lease.word = json.at("word");
    lease.seconds = json.at("seconds");
    lease.released = json.at("released");
  } catch (const std::exception&) {
    lease = {.text = lease.text};
  }
  return lease;
}

fs::path lease_file(const fs::path& trial, std::int64_t number) {
  return trial / fmt::format("{}{}", kName, number);
}

/// The highest number of a lease in a folder; 0 where there is none. Throws MachineFault where it cannot be read.
std::int64_t last_lease(const fs::path& folder) {
  std::int64_t last = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!is_lease(name)) continue;
    const std::string digits = name.substr(kName.size());
    if (digits.empty() || digits.size() > 18 ||
        digits.find_first_not_of("0123456789") != digits.npos)
      continue;
    last = std::max<std::int64_t>(last, std::stoll(digits));
  }
  return last;
}

/// A word that no other lease has.
std::string new_word() {
  std::random_device draw;
  return fmt::format("{:08x}{:08x}", draw(), draw());
}

}  // namespace

bool is_lease(std::string_view name) { return name.starts_with(kName); }

LeaseWatch::Sign LeaseWatch::sign(const fs::path& file, const std::string& text, double own_seconds,
                                  double now) {
  const auto [entry, is_new] = seen_.try_emplace(file, Seen{text, now, now});
  Seen& seen = entry->second;
  if (is_new) return Sign::none;
  if (seen.text != text) {
    seen = {text, now, now};
    return Sign::alive;
  }
  const double needed = std::max(seconds_, own_seconds);
  if (now - seen.last > needed / 2) seen.since = now;
  seen.last = now;
  return now - seen.since >= needed ? Sign::still : Sign::none;
}

bool is_valid(const fs::path& trial, const LeaseTicket& ticket) {
  if (ticket.number == 0) return true;
  std::error_code error;
  return !fs::exists(lease_file(trial, ticket.number + 1), error) &&
         read_lease(lease_file(trial, ticket.number)).word == ticket.word;
}

Lease::Lease(fs::path folder, LeaseTicket ticket, LeaseOwner owner, double seconds)
    : folder_(std::move(folder)),
      ticket_(std::move(ticket)),
      owner_(std::move(owner)),
      seconds_(seconds) {}

Lease::Lease(Lease&& other) noexcept { *this = std::move(other); }

Lease& Lease::operator=(Lease&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(ticket_, other.ticket_);
  std::swap(beats_, other.beats_);
  std::swap(owner_, other.owner_);
  std::swap(seconds_, other.seconds_);
  return *this;
}

Lease::~Lease() {
  if (is_held()) write(true);
}

bool Lease::write(bool released) const {
  const Json json = {{"pid", owner_.pid},    {"host", owner_.host},
                     {"boot", owner_.boot},  {"started", owner_.started},
                     {"job", owner_.job},    {"restart", owner_.restart},
                     {"word", ticket_.word}, {"seconds", seconds_},
                     {"beats", beats_},      {"released", released}};
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  text.resize(std::max<std::size_t>(text.size(), 700),
              ' ');  // a shorter text leaves nothing of a longer one
  // Opened anew each time: over a network, what is written is seen elsewhere once the file is closed.
  const Descriptor open(
      ::open(lease_file(folder_, ticket_.number).c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
  return open.is_open() &&
         ::pwrite(open.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

void Lease::beat() {
  if (!is_held()) return;
  ++beats_;
  write(false);
}

void Lease::end() {
  if (!is_held()) return;
  std::error_code error;
  fs::remove(lease_file(folder_, std::exchange(ticket_.number, 0)), error);
}

/// Makes leases, which nothing else does.
class LeaseTaking {
 public:
  /// The lease of this number; nothing where another has created it first, or a later one.
  static std::optional<Lease> create(const fs::path& folder, std::int64_t number,
                                     const LeaseOwner& owner, double seconds) {
    const fs::path path = lease_file(folder, number);
    const Descriptor created(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!created.is_open() && errno == EEXIST) return std::nullopt;
    if (!created.is_open()) fail_errno(path, "could not be created");
    Lease lease(folder, {number, new_word()}, owner, seconds);
    if (!lease.write(false)) {
      const int error = errno;
      ::unlink(path.c_str());
      errno = error;
      fail_errno(path, "could not be written");
    }
    if (last_lease(folder) != number) {  // what was seen before was out of date
      lease.ticket_.number = 0;
      ::unlink(path.c_str());
      return std::nullopt;
    }
    std::error_code ignored;
    if (number > 1) fs::remove(lease_file(folder, number - 1), ignored);
    return lease;
  }
};

LeaseReply take_lease(const fs::path& trial, const LeaseOwner& owner, LeaseWatch& watch,
                      double now) {
  if (::mkdir(trial.c_str(), 0777) == 0)
    sync_folder(trial.parent_path());
  else if (errno != EEXIST)
    fail_errno(trial, "could not be created");
  LeaseReply reply;
  const std::int64_t last = last_lease(trial);
  if (last > 0) {
    const fs::path file = lease_file(trial, last);
    const LeaseText held = read_lease(file);
    reply.holder = held.owner;
    const std::optional<bool> dead = is_dead_here(held.owner, owner);
    const bool again =
        !owner.job.empty() && held.owner.job == owner.job && held.owner.restart < owner.restart;
    reply.sign = watch.sign(file, held.text, held.seconds, now);
    if (dead && !*dead) reply.sign = LeaseWatch::Sign::alive;
    const bool is_free =
        held.released || again || (dead ? *dead : reply.sign == LeaseWatch::Sign::still);
    if (!is_free) return reply;
  }
  reply.lease = LeaseTaking::create(trial, last + 1, owner, watch.seconds());
  if (!reply.lease) reply.sign = LeaseWatch::Sign::alive;  // somebody was faster
  return reply;
}

}  // namespace ablate::store
