// Reads affinity, control groups and the environment.

#include "harness/base/posix/cores.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

namespace ablate {
namespace {

namespace fs = std::filesystem;

constexpr double kNoQuota = std::numeric_limits<double>::infinity();
constexpr std::size_t kMaxCores = 1 << 16;

/// Whether a list such as "cpu,cpuacct" has the entry.
bool lists(const std::string& entries, std::string_view entry) {
  std::istringstream all(entries);
  for (std::string one; std::getline(all, one, ',');)
    if (one == entry) return true;
  return false;
}

/// A path of mountinfo, in which blanks and backslashes are octal: "\040".
std::string without_escapes(const std::string& text) {
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(digits, digits + 3, code, 8).ptr == digits + 3) {
      path += static_cast<char>(code);
      i += 3;
    } else {
      path += text[i];
    }
  }
  return path;
}

/// A tree of control groups that limits processors.
struct CpuHierarchy {
  fs::path mount;  // where it is mounted
  fs::path top;    // the group that is mounted there
  bool unified;    // version 2
};

std::vector<CpuHierarchy> hierarchies(const fs::path& root) {
  std::vector<CpuHierarchy> found;
  std::ifstream mounts(root / "proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string number, parent, device, top, mount, word, type, source, options;
    words >> number >> parent >> device >> top >> mount;
    while (words >> word && word != "-") {
    }
    if (!(words >> type >> source >> options)) continue;
    if (type == "cgroup2" || (type == "cgroup" && lists(options, "cpu")))
      found.push_back({without_escapes(mount), without_escapes(top), type == "cgroup2"});
  }
  return found;
}

/// The path of this process's group in the trees of one version, counted from their roots.
fs::path own_group(const fs::path& root, bool unified) {
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "4:cpu,cpuacct:/path", "0::/path"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() : lists(controllers, "cpu")) return line.substr(second + 1);
  }
  return "/";
}

/// The group below what is mounted; empty where it is not, as in a container that sees its own part.
fs::path below_mount(const fs::path& group, const fs::path& top) {
  const fs::path relative = group.lexically_relative(top);
  const bool inside = !relative.empty() && *relative.begin() != ".." && relative != ".";
  return inside ? relative : fs::path();
}

double first_number(const fs::path& file) {
  double number = 0;
  std::ifstream(file) >> number;
  return number;
}

/// The quota of one group.
double quota_of(const fs::path& folder, bool unified) {
  double quota = 0, period = 0;
  if (unified) {
    std::ifstream file(folder / "cpu.max");  // "QUOTA PERIOD" or "max PERIOD", microseconds
    if (!(file >> quota >> period)) return kNoQuota;
  } else {
    quota = first_number(folder / "cpu.cfs_quota_us");  // -1: none
    period = first_number(folder / "cpu.cfs_period_us");
  }
  return quota > 0 && period > 0 ? quota / period : kNoQuota;
}

/// A positive number of processors; nothing for any other text.
std::optional<std::size_t> positive_count(const char* text) {
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  std::size_t count = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
  return whole && count > 0 ? std::optional(count) : std::nullopt;
}

}  // namespace

std::size_t cores_within(const CoreLimits& limits) {
  double cores = std::min(static_cast<double>(limits.affinity), std::floor(limits.quota));
  if (limits.grant) cores = std::min(cores, static_cast<double>(*limits.grant));
  return static_cast<std::size_t>(std::max(cores, 1.0));
}

std::size_t usable_cores() {
  const std::size_t numbered = core_numbers().size();
  return cores_within(
      {.affinity = numbered > 0 ? numbered : std::thread::hardware_concurrency(),
       .quota = cpu_quota(),
       .grant = granted_cores([](const char* name) -> const char* { return std::getenv(name); })});
}

std::vector<int> core_numbers() {
  std::vector<int> numbers;
  // The system refuses a set that is too small for the machine.
  for (std::size_t cores = CPU_SETSIZE; cores <= kMaxCores && numbers.empty(); cores *= 2) {
    const auto free = [](cpu_set_t* set) { CPU_FREE(set); };
    const std::unique_ptr<cpu_set_t, decltype(free)> allowed(CPU_ALLOC(cores), free);
    if (!allowed || ::sched_getaffinity(0, CPU_ALLOC_SIZE(cores), allowed.get()) != 0) continue;
    for (std::size_t core = 0; core < cores; ++core)
      if (CPU_ISSET_S(core, CPU_ALLOC_SIZE(cores), allowed.get()))
        numbers.push_back(static_cast<int>(core));
  }
  return numbers;
}

double cpu_quota(const fs::path& root) {
  double smallest = kNoQuota;
  for (const CpuHierarchy& tree : hierarchies(root)) {
    const fs::path top = root / tree.mount.relative_path();
    fs::path below = below_mount(own_group(root, tree.unified), tree.top);
    for (; !below.empty(); below = below.parent_path())
      smallest = std::min(smallest, quota_of(top / below, tree.unified));
    smallest = std::min(smallest, quota_of(top, tree.unified));
  }
  return smallest;
}

std::optional<std::size_t> granted_cores(
    const std::function<const char*(const char*)>& environment) {
  for (const char* name : {"SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"})
    if (const auto granted = positive_count(environment(name))) return granted;
  return std::nullopt;
}

}  // namespace ablate
