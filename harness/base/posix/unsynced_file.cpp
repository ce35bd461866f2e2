#include "harness/base/posix/unsynced_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "harness/base/posix/descriptor.h"

namespace ablate {
namespace {

/// Removes a file again unless it was written to its end.
class NewFile {
 public:
  NewFile(const std::filesystem::path& path, int flags)
      : path_(path),
        file_(open_file(path, O_WRONLY | O_NOFOLLOW | flags, "could not be created")) {}
  ~NewFile() {
    struct stat about {};
    const bool ours = ::fstat(file_.get(), &about) == 0 && S_ISREG(about.st_mode);
    if (!written_ && ours) ::unlink(path_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const Descriptor& file() const { return file_; }

  void written() { written_ = true; }

 private:
  std::filesystem::path path_;
  Descriptor file_;
  bool written_ = false;
};

}  // namespace

void write_unsynced(const std::filesystem::path& file, std::string_view bytes) {
  NewFile made(file, O_CREAT | O_TRUNC);
  write_all(made.file(), bytes, file);
  made.written();
}

void copy_unsynced(const std::filesystem::path& from, const std::filesystem::path& to) {
  constexpr std::size_t kChunk = 1 << 20;
  const Descriptor source = open_file(from, O_RDONLY, "could not be read");
  struct stat about {};
  if (::fstat(source.get(), &about) != 0) fail_errno(from, "could not be read");
  NewFile made(to, O_CREAT | O_EXCL);
  if (::fchmod(made.file().get(), about.st_mode & 0777) != 0)
    fail_errno(to, "could not be created");
  std::string chunk(kChunk, '\0');
  while (true) {
    const ssize_t got = ::read(source.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_errno(from, "could not be read");
    if (got == 0) break;
    write_all(made.file(), std::string_view(chunk).substr(0, static_cast<std::size_t>(got)), to);
  }
  made.written();
}

void check_room(const std::filesystem::path& file) {
  write_unsynced(file, std::string(1 << 20, '\0'));
  write_unsynced(file, "");
}

}  // namespace ablate
