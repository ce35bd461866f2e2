#include "harness/base/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "harness/base/error.h"

namespace ablate {
namespace {

[[noreturn]] void fail_errno(const std::filesystem::path& path, std::string_view what) {
  const std::string reason = std::strerror(errno);
  fail(path.string(), ": ", what, ": ", reason);
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

void write_all(int file, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_errno(path, "could not be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

[[noreturn]] void fail_too_large(const std::filesystem::path& path, std::uint64_t size,
                                 std::uint64_t limit) {
  fail(path.string(), ": has ", size, " bytes or more; at most ", limit, " are accepted here");
}

/// To the file's end, wherever that is by then: it may have grown or shrunk since its size was
/// asked.
std::string read_all(int file, std::uint64_t size, std::uint64_t limit,
                     const std::filesystem::path& path) {
  std::string bytes(size + 1, '\0');  // one more, so that the end is seen
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size()) bytes.resize(2 * bytes.size() + 4096);
    const ssize_t got = ::read(file, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_errno(path, "could not be read");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (filled > limit) fail_too_large(path, filled, limit);
  }
  bytes.resize(filled);
  return bytes;
}

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor opened(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() < 0 || ::fsync(opened.get()) != 0) fail_errno(folder, "could not be synced");
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::uint64_t limit) {
  // Non-blocking, so that a named pipe given as a file is refused instead of waited for.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail_errno(path, "could not be read");
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) fail_errno(path, "could not be read");
  if (!S_ISREG(about.st_mode)) fail(path.string(), ": is not a regular file");
  const auto size = static_cast<std::uint64_t>(about.st_size);
  if (size > limit) fail_too_large(path, size, limit);
  return read_all(file.get(), size, limit, path);
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  static std::atomic<std::uint64_t> count{0};  // threads may write the same file
  const std::filesystem::path partial = join(path.string(), ".tmp.", ::getpid(), ".", count++);
  try {
    const Descriptor file(
        ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (file.get() < 0) fail_errno(partial, "could not be created");
    write_all(file.get(), bytes, partial);
    if (::fsync(file.get()) != 0) fail_errno(partial, "could not be synced");
    if (::rename(partial.c_str(), path.c_str()) != 0) fail_errno(path, "could not be replaced");
  } catch (...) {
    ::unlink(partial.c_str());
    throw;
  }
  sync_folder(path.parent_path());
}

// Non-blocking, so that a named pipe given as a file is refused instead of waited for.
AppendFile::AppendFile(const std::filesystem::path& path)
    : file_(::open(path.c_str(),
                   O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644)),
      path_(path) {
  if (file_ < 0) fail_errno(path, "could not be opened");
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      fail(path.string(), ": is being written by another process");
    struct stat about {};
    if (::fstat(file_, &about) != 0) fail_errno(path, "could not be opened");
    // What is durable in a file is lost with the file's name.
    if (S_ISREG(about.st_mode) && about.st_size == 0) sync_folder(path.parent_path());
  } catch (...) {
    ::close(file_);
    throw;
  }
}

AppendFile::~AppendFile() { ::close(file_); }

void AppendFile::append(std::string_view line) {
  if (line.find('\n') != std::string_view::npos)
    reject(path_.string(), ": a line that is appended holds a newline");
  write_all(file_, std::string(line) + '\n', path_);
  if (::fdatasync(file_) != 0) fail_errno(path_, "could not be synced");
}

}  // namespace ablate
