// Checks the options of `ablate run`.

#include "experiments/commands/running/run_options.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "harness/base/error.h"
#include "harness/base/posix/cores.h"
#include "harness/base/utf8.h"
#include "harness/data/prepare.h"
#include "harness/plan/resolve/versions.h"
#include "harness/run/progress/text.h"
#include "harness/run/worker/machine.h"

namespace ablate::commands {
namespace {

bool is_device(const std::string& name) {
  if (name == "cpu" || name == "cuda") return true;
  return name.starts_with("cuda:") && name.size() > 5 && name.size() < 9 &&
         std::all_of(name.begin() + 5, name.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// Refuses a path that is not UTF-8. Workers are told paths as JSON, which replaces such bytes, so
/// they would write elsewhere.
void refuse_bytes(std::string_view what, const std::filesystem::path& path) {
  const std::string& text = path.native();
  const std::size_t valid = first_invalid_utf8(text);
  if (valid == std::string::npos) return;
  reject(
      "{} '{}...': byte {} of its path is not UTF-8, so it cannot be passed to a worker; use a "
      "folder whose path is UTF-8",
      what, run::printable(text.substr(0, valid)), valid + 1);
}

/// The place of each process: by default a worker, of all its ranks, per core of the CPU or per GPU.
std::vector<run::RankPlace> places(const RunOptions& options) {
  for (const std::string& name : options.devices) checked_device("--device", name);
  const bool on_cpu = options.devices.empty() || options.devices[0] == "cpu";
  if (!on_cpu && options.devices.size() % options.ranks != 0)
    reject(
        "--ranks {}: each rank needs a GPU of its own, and --device names {}; name a multiple of "
        "{}",
        options.ranks, options.devices.size(), options.ranks);
  const std::size_t each = options.workers > 0 ? options.workers
                           : on_cpu ? std::max<std::size_t>(1, usable_cores() / options.ranks)
                                    : 1;
  std::vector<run::RankPlace> all;
  for (std::size_t i = 0; i < each; ++i)
    if (on_cpu)
      all.insert(all.end(), options.ranks * std::max<std::size_t>(1, options.devices.size()), {});
    else
      for (const std::string& device : options.devices) all.push_back({.device = device});
  // With one process per core, each is bound to its core: the system would move them around. With
  // fewer, other programs may use some cores, and only the system knows which.
  const std::vector<int> cores = core_numbers();
  for (std::size_t i = 0; on_cpu && all.size() == cores.size() && i < all.size(); ++i)
    all[i].core = cores[i];
  return all;
}

/// Divides the places among the workers, in order.
void set_places(const std::vector<run::RankPlace>& all, std::size_t ranks,
                run::SweepSettings& settings) {
  for (std::size_t first = 0; first < all.size(); first += ranks) {
    settings.devices.push_back(all[first].device);
    if (all[first].core >= 0) settings.cores.push_back(all[first].core);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    if (ranks > 1)
      settings.followers.emplace_back(begin + 1, begin + static_cast<std::ptrdiff_t>(ranks));
  }
}

}  // namespace

void add_workers(CLI::App& command, std::size_t& workers, const std::string& by_default) {
  // Without the range, the number is unsigned and -1 would be taken for the largest there is.
  command
      .add_option("--workers", workers, "processes, one thread each (default: " + by_default + ")")
      ->check(CLI::Range(std::size_t{1}, kMaxProcesses));
}

void add_progress(CLI::App& command, RunOptions& options) {
  command.add_option("--progress", options.progress,
                     "auto, plain, json (one object per line) or none; written to standard error");
}

const std::string& checked_device(std::string_view flag, const std::string& name) {
  if (!is_device(name))
    reject("{} {}: is not a device; accepted: 'cpu', 'cuda:0', 'cuda:1' and so on", flag, name);
  return name;
}

std::optional<std::size_t> given_lanes(const std::string& text) {
  constexpr std::size_t kMaxLanes = 4096;
  if (text == "auto") return std::nullopt;
  std::size_t lanes = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, lanes);
  if (read.ec != std::errc() || read.ptr != end || lanes < 1 || lanes > kMaxLanes)
    reject("--lanes {}: is not a number of lanes; accepted: 'auto', or 1 to {}", text, kMaxLanes);
  return lanes;
}

run::SweepSettings settings_of(const Program& program, const RunOptions& options) {
  run::SweepSettings settings;
  settings.results = std::filesystem::absolute(options.results).lexically_normal();
  refuse_bytes("--results", settings.results);
  refuse_bytes("the cache", data::cache_folder());
  settings.worker = run::find_worker();
  set_places(places(options), options.ranks, settings);
  const std::size_t processes = settings.devices.size() * options.ranks;
  // A worker of the CPU has one thread, so that its bits do not depend on the machine. One of a
  // device draws the batches of many lanes while the device computes.
  if (settings.devices[0] != "cpu")
    settings.threads = static_cast<int>(std::max<std::size_t>(1, usable_cores() / processes));
  const std::size_t cores_left = std::max<std::size_t>(usable_cores(), processes + 1) - processes;
  if (settings.devices[0] != "cpu")
    settings.measurers = options.measurers.value_or(cores_left);
  else if (options.measurers)
    reject(
        "--measurers is for --device cuda:0 and so on: on the CPU, the worker that trains a trial "
        "also measures it");
  settings.lanes =
      given_lanes(options.lanes)
          .value_or(settings.devices[0] == "cpu" ? 1 : std::numeric_limits<std::size_t>::max());
  settings.checkpoint_seconds = options.checkpoint_seconds;
  settings.grace_seconds = options.grace_seconds;
  if (!options.shard.empty()) settings.lease_seconds = options.lease_seconds;
  settings.versions = plan::versions_of(program.catalog);
  settings.retry_failed = options.retry_failed;
  settings.fail_fast = options.fail_fast;
  settings.command.assign(program.argv, program.argv + program.argc);
  return settings;
}

}  // namespace ablate::commands
