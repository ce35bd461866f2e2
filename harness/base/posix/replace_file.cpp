#include "harness/base/posix/replace_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "harness/base/posix/descriptor.h"
#include "harness/base/posix/program.h"

namespace ablate {

void replace_file(const std::filesystem::path& path, std::span<const std::string_view> parts,
                  Synced synced) {
  static std::atomic<std::uint64_t> count{0};  // threads may write the same file
  static const std::uint32_t machine = host_number();
  const std::filesystem::path partial =
      fmt::format("{}{}{}.{}.{:x}", path.string(), kTemporaryName, ::getpid(), count++, machine);
  try {
    const Descriptor file =
        open_file(partial, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, "could not be created");
    for (const std::string_view part : parts) write_all(file, part, partial);
    if (synced == Synced::yes && ::fsync(file.get()) != 0)
      fail_errno(partial, "could not be synced");
    if (::rename(partial.c_str(), path.c_str()) != 0) fail_errno(path, "could not be replaced");
  } catch (...) {
    ::unlink(partial.c_str());
    throw;
  }
}

}  // namespace ablate
