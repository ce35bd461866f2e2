#include "harness/base/posix/descriptor.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "harness/base/posix/machine_fault.h"

namespace ablate {

void fail_errno(const std::filesystem::path& path, std::string_view what) {
  const int error = errno;
  throw MachineFault(fmt::format("{}: {}: {}", path.string(), what, std::strerror(error)), error);
}

Descriptor::Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    file_ = std::exchange(other.file_, -1);
  }
  return *this;
}

void Descriptor::close() {
  if (file_ < 0) return;
  const int error = errno;
  ::close(std::exchange(file_, -1));
  errno = error;
}

Descriptor open_file(const std::filesystem::path& path, int flags, std::string_view fault) {
  Descriptor file(::open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!file.is_open()) fail_errno(path, fault);
  return file;
}

void write_all(const Descriptor& file, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_errno(path, "could not be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace ablate
