#include "harness/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/base/error.h"

namespace ablate {

MappedFile::MappedFile(const std::filesystem::path& path) {
  // Non-blocking, so that a named pipe given as a file is refused instead of waited for.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) fail(path.string(), ": could not be read: ", std::strerror(errno));
  struct stat about {};
  const bool regular = ::fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  void* mapped = MAP_FAILED;
  if (regular) size_ = static_cast<std::size_t>(about.st_size);
  if (size_ > 0) mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  const int error = errno;
  ::close(file);  // the mapping stays
  if (!regular) fail(path.string(), ": is not a regular file");
  if (size_ > 0 && mapped == MAP_FAILED)
    fail(path.string(), ": could not be mapped: ", std::strerror(error));
  if (size_ > 0) data_ = static_cast<const char*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace ablate
