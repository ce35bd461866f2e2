#include "harness/base/posix/pipe.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace ablate {

Pipe open_pipe(std::string_view what) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail_errno(what, "could not be listened to");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Descriptor memory_file(std::string_view bytes, std::string_view what) {
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (!file.is_open()) fail_errno(what, "could not be passed on");
  write_all(file, bytes, what);
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

std::string read_to_end(const Descriptor& reader) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = ::read(reader.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace ablate
