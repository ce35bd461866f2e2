#include "harness/base/posix/sync_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include "harness/base/posix/descriptor.h"

namespace ablate {
namespace {

constexpr const char* kFault = "could not be synced";

Descriptor open_folder(const std::filesystem::path& folder) {
  return open_file(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY, kFault);
}

}  // namespace

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor opened = open_folder(folder);
  if (::fsync(opened.get()) != 0) fail_errno(folder, kFault);
}

void sync_file_system(const std::filesystem::path& folder) {
  const Descriptor opened = open_folder(folder);
  if (::syncfs(opened.get()) != 0) fail_errno(folder, kFault);
}

}  // namespace ablate
