#include "harness/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "harness/base/error.h"
#include "harness/base/posix/descriptor.h"

namespace ablate {

MappedFile::MappedFile(const std::filesystem::path& path) {
  // Non-blocking, so that a named pipe given as a file is refused instead of waited for.
  const Descriptor file = open_file(path, O_RDONLY | O_NONBLOCK, "could not be read");
  struct stat about {};
  if (::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode))
    fail("{}: is not a regular file", path.string());
  size_ = static_cast<std::size_t>(about.st_size);
  if (size_ == 0) return;  // mmap(2) refuses empty mappings
  void* const mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (mapped == MAP_FAILED) fail_errno(path, "could not be mapped");
  data_ = static_cast<const char*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace ablate
