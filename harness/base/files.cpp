#include "harness/base/files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "harness/base/error.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/base/posix/replace_file.h"
#include "harness/base/posix/sync_folder.h"

namespace ablate {
namespace {

[[noreturn]] void fail_too_large(const std::filesystem::path& path, std::uint64_t size,
                                 std::uint64_t limit) {
  fail("{}: has {} bytes or more; at most {} are accepted", path.string(), size, limit);
}

std::string_view type_of_file(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe: write what it gives to a file";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

/// Opens a file. Non-blocking, so that a named pipe given as a file is refused instead of waited for.
Descriptor opened_for_reading(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file >= 0) return Descriptor(file);
  const int error = errno;
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::read_symlink(path, ignored);
  if (error == ENOENT && !target.empty())
    throw MachineFault(
        fmt::format("{}: is a link to '{}', which does not exist", path.string(), target.string()),
        error);
  errno = error;
  fail_errno(path, "could not be read");
}

/// Reads to the end of the file, which may have grown or shrunk since it had `size` bytes.
void read_all(const Descriptor& file, std::uint64_t size, std::uint64_t limit,
              const std::filesystem::path& path, std::string& bytes) {
  bytes.resize(size + 1);  // one more, to detect the end
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size()) bytes.resize(2 * bytes.size() + 4096);
    const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_errno(path, "could not be read");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (filled > limit) fail_too_large(path, filled, limit);
  }
  bytes.resize(filled);
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::uint64_t limit) {
  std::string bytes;
  read_file(path, bytes, limit);
  return bytes;
}

void read_file(const std::filesystem::path& path, std::string& bytes, std::uint64_t limit) {
  const Descriptor file = opened_for_reading(path);
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) fail_errno(path, "could not be read");
  if (!S_ISREG(about.st_mode))
    fail("{}: is not a regular file, but {}", path.string(), type_of_file(about.st_mode));
  const auto size = static_cast<std::uint64_t>(about.st_size);
  if (size > limit) fail_too_large(path, size, limit);
  read_all(file, size, limit, path, bytes);
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  write_file(path, std::span(&bytes, 1));
}

void write_file(const std::filesystem::path& path, std::span<const std::string_view> parts) {
  replace_file(path, parts, Synced::yes);
  sync_folder(path.parent_path());
}

bool has_temporary_name(const std::filesystem::path& path) {
  return path.filename().string().find(kTemporaryName) != std::string::npos;
}

// Non-blocking, so that a named pipe given as a file is refused instead of waited for.
AppendFile::AppendFile(const std::filesystem::path& path)
    : path_(path),
      file_(open_file(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK,
                      "could not be opened")) {
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) fail("{}: is being written by another process", path.string());
    if (errno != ENOLCK && errno != ENOSYS && errno != EOPNOTSUPP)
      fail_errno(path, "could not be locked");
  }
  struct stat about {};
  if (::fstat(file_.get(), &about) != 0) fail_errno(path, "could not be opened");
  // Without this the name could be lost in a power failure, although the contents are durable.
  if (S_ISREG(about.st_mode) && about.st_size == 0) sync_folder(path.parent_path());
}

bool is_being_appended(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return file.is_open() && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void AppendFile::append(std::string_view line, Durable durable) {
  if (line.find('\n') != std::string_view::npos)
    reject("{}: the line to append contains a newline; append one line at a time", path_.string());
  write_all(file_, std::string(line) + '\n', path_);
  if (durable == Durable::with_next) return;
  if (::fdatasync(file_.get()) != 0) fail_errno(path_, "could not be synced");
}

}  // namespace ablate
