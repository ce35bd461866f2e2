#include "harness/base/links.h"

#include "harness/base/error.h"

namespace ablate {

void refuse_link(const std::filesystem::path& path) {
  std::error_code absent;
  if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, absent))) return;
  damaged(
      "{}: is a link to '{}', and nothing is written through links; remove it, or move what it "
      "leads to into its place",
      path.string(), std::filesystem::read_symlink(path, absent).string());
}

}  // namespace ablate
