// Faults of a cache that cannot be written, with what to do.

#pragma once

#include <fmt/core.h>

#include <filesystem>

#include "harness/base/posix/machine_fault.h"

namespace ablate::data {

/// Does `work`, which writes to the cache. A fault of the machine, other than a full or failing disk,
/// says that the cache can be put elsewhere. A cache in which all is there is not written, so it may
/// be read-only.
template <class Work>
auto writing_to_cache(const std::filesystem::path& cache, Work work) {
  const auto explain = [&](const std::string& what, int error) {
    return MachineFault(
        fmt::format("{}; set ABLATE_CACHE to a folder that can be written, in place of "
                    "the cache {}",
                    what, cache.string()),
        error);
  };
  try {
    return work();
  } catch (const MachineFault& fault) {
    if (is_disk_fault(fault)) throw;
    throw explain(fault.what(), fault.error());
  } catch (const std::filesystem::filesystem_error& error) {
    if (is_disk_fault(error)) throw;
    throw explain(
        fmt::format("{}: could not be made: {}", error.path1().string(), error.code().message()),
        error.code().value());
  }
}

}  // namespace ablate::data
