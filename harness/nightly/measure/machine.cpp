#include "harness/nightly/measure/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "harness/base/posix/cores.h"
#include "harness/base/sha256.h"

namespace ablate::nightly {
namespace {

// The first value of a key in Linux's list of processors; empty where it has none.
std::string processor_fact(const std::string& key) {
  std::ifstream about("/proc/cpuinfo");
  for (std::string line; std::getline(about, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    return line.substr(std::min(colon + 2, line.size()));
  }
  return {};
}

}  // namespace

Json describe_machine() {
  utsname system{};
  ::uname(&system);
  const double bytes =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return {{"processor", processor_fact("model name")},
          {"flags", sha256(processor_fact("flags")).substr(0, 12)},  // its instructions
          {"microcode", processor_fact("microcode")},
          {"cache", processor_fact("cache size")},
          {"cores", usable_cores()},
          {"memory_gib", std::llround(bytes / 0x1p30)},
          {"kernel", system.release},
          {"system", std::string(system.sysname) + ' ' + system.machine}};
}

std::string fingerprint_of(const Json& machine) { return sha256(canonical(machine)).substr(0, 12); }

}  // namespace ablate::nightly
