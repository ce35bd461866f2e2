#include "harness/base/posix/program.h"

#include <system_error>

namespace ablate {

std::filesystem::path program_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace ablate
