#include "harness/store/folder/lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/json.h"
#include "harness/base/json/parse.h"
#include "harness/base/links.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/base/posix/program.h"
#include "harness/store/folder/leftovers.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

/// A lock of the complete file that belongs to the open file description, not to the process:
/// children inherit it, and F_OFD_GETLK shows whether it is held without taking it.
struct flock whole_file(short type) {
  struct flock whole {};
  whole.l_type = type;
  whole.l_whence = SEEK_SET;
  return whole;
}

/// Whether the lock was taken. A shared one is also taken, for what it is worth, where the file system has no locks:
/// shards have leases.
bool try_lock(const Descriptor& file, const fs::path& path, Sharing sharing) {
  struct flock whole = whole_file(sharing == Sharing::alone ? F_WRLCK : F_RDLCK);
  if (::fcntl(file.get(), F_OFD_SETLK, &whole) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  if (sharing == Sharing::with_shards &&
      (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS))
    return true;
  fail_errno(path, "could not be locked");
}

Holder read_holder(const fs::path& lock) {
  Holder holder;
  try {
    const Json text = parse_json(read_file(lock, 4096));
    holder.pid = text.at("pid");
    holder.host = text.at("host");
    holder.shard = text.value("shard", false);
  } catch (const std::exception&) {
    return holder;  // the file is just being written
  }
  if (holder.host == host_name() && !holder.shard) holder.alive = is_running(holder.pid);
  return holder;
}

/// Whether a name is one that a run gives before it has written a plan: it may have been killed, or
/// have found the disk full.
bool is_ours(const std::string& name) {
  return name == "lock" || name == "tuning" || name == "shards" || name == "experiment" ||
         name == "experiment.json" || name.starts_with("experiment.json.tmp.") ||
         name.starts_with("plan.json.tmp.");
}

/// Creates the folder where it is not there. That its name or its place does not allow it is the
/// user's to change; a disk that is full or fails is the machine's fault.
void make_folder(const fs::path& results) {
  std::error_code why;
  if (!fs::is_directory(results, why)) {
    try {
      fs::create_directories(results);
    } catch (const fs::filesystem_error& error) {
      if (is_disk_fault(error)) throw;
      reject("{}: cannot be created ({}); choose a folder that you can write to", results.string(),
             error.code().message());
    }
  }
  if (::access(results.c_str(), W_OK | X_OK) == 0) return;
  const int error = errno;
  reject("{}: cannot be written to ({}); choose a folder that you can write to", results.string(),
         std::generic_category().message(error));
}

/// Whether a folder holds results. Without a plan, trials still show whose folder it is: a damaged plan is removed and made
/// again.
bool is_begun(const fs::path& results) {
  return fs::exists(results / "plan.json") || fs::is_directory(results / "trials");
}

void begin_folder(const fs::path& results) {
  for (const char* folder : {"trials", "tuning", "experiment"}) refuse_link(results / folder);
  if (fs::exists(results) && !fs::is_directory(results))
    reject("{}: is not a folder; --results names the folder that results go to", results.string());
  make_folder(results);
  if (is_begun(results)) return;
  for (const auto& entry : fs::directory_iterator(results)) {
    const std::string name = entry.path().filename().string();
    if (is_ours(name)) continue;
    if (is_begun(results)) return;  // by another shard, in the meantime
    reject(
        "{}: holds other files ({}) and no results; --results names an empty or a new folder, or "
        "one with results",
        results.string(), name);
  }
}

void wait_for_lock(const Descriptor& file, const fs::path& path, Sharing sharing,
                   const std::function<void(const Holder&)>& waiting) {
  constexpr auto kPause = std::chrono::milliseconds(50);
  constexpr int kOrphanPauses = 600;  // workers end with their run; this is ample time
  for (int pauses = 0; !try_lock(file, path, sharing); ++pauses) {
    const Holder holder = read_holder(path);
    const bool orphans = !holder.alive && pauses < kOrphanPauses;
    if (!waiting && !orphans && pauses > 0)
      reject("{}: {} is running in this folder; wait for it (--wait), or end it",
             path.parent_path().string(), holder.text());
    if (waiting && pauses == 0) waiting(holder);
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

std::string Holder::text() const {
  if (pid == 0) return "another process";
  return fmt::format("{} {} on host '{}'", shard ? "a shard of a run, last process" : "process",
                     pid, host);
}

std::optional<Holder> holder_of(const fs::path& results) {
  const fs::path path = results / "lock";
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.is_open()) return std::nullopt;
  struct flock whole = whole_file(F_WRLCK);
  const bool held = ::fcntl(file.get(), F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
  if (!held) return std::nullopt;
  return read_holder(path);
}

FolderLock::FolderLock(const fs::path& results, const std::function<void(const Holder&)>& waiting,
                       Sharing sharing) {
  begin_folder(results);
  path_ = fs::absolute(results) / "lock";
  file_ = open_file(path_, O_RDWR | O_CREAT | O_NOFOLLOW, "could not be opened");
  wait_for_lock(file_, path_, sharing, waiting);
  const std::string text =
      Json{{"pid", ::getpid()}, {"host", host_name()}, {"shard", sharing == Sharing::with_shards}}
          .dump() +
      "\n";
  if (::ftruncate(file_.get(), 0) != 0 ||
      ::pwrite(file_.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    fail_errno(path_, "could not be written");
  if (sharing == Sharing::alone) remove_leftovers(results);  // others may be writing theirs
  // The workers inherit the lock, on purpose: see the class.
  ::fcntl(file_.get(), F_SETFD, 0);
}

bool FolderLock::in_place() const {
  struct stat named {
  }, held{};
  return ::stat(path_.c_str(), &named) == 0 && ::fstat(file_.get(), &held) == 0 &&
         named.st_dev == held.st_dev && named.st_ino == held.st_ino;
}

}  // namespace ablate::store
