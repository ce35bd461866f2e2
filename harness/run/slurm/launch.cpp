#include "harness/run/slurm/launch.h"

#include <fmt/ranges.h>

#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/run/chunks.h"
#include "harness/run/shards/shard.h"
#include "harness/run/slurm/output_of.h"

namespace ablate::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kUsualArraySize = 1001;  // Slurm's default of MaxArraySize

/// An array that was submitted.
struct Launched {
  std::string job;
  std::size_t offset = 0, shards = 0;
  std::vector<std::size_t> elements;
};

fs::path launches_file(const fs::path& results) { return results / "slurm/launches.jsonl"; }

std::vector<Launched> read_launches(const fs::path& results) {
  std::vector<Launched> launches;
  if (!fs::exists(launches_file(results))) return launches;
  std::istringstream lines(read_file(launches_file(results)));
  for (std::string line; std::getline(lines, line);) {
    try {
      const Json json = parse_json(line);
      launches.push_back(
          {json.at("job"), json.at("offset"), json.at("shards"), json.at("elements")});
    } catch (const std::exception&) {
      continue;  // torn: its jobs are found to be missing, and leases keep a trial from being trained twice
    }
  }
  return launches;
}

/// The answer of a program of Slurm. Throws std::invalid_argument with its words where it refuses.
std::string ask(const std::vector<std::string>& command) {
  const ProgramOutput answer = output_of(command);
  if (answer.status == 127)
    reject(
        "--launcher slurm: there is no {} on this machine; run this where jobs are submitted, or "
        "use --dry-run",
        command[0]);
  if (answer.status != 0) reject("{}: {}", fmt::join(command, " "), answer.errors.substr(0, 2000));
  return answer.output;
}

/// The elements of arrays that Slurm knows, "17_3", with their states: "PD", "R".
std::map<std::string, std::string> queue() {
  std::map<std::string, std::string> states;
  std::istringstream lines(ask({"squeue", "--noheader", "--array", "--format=%i|%t"}));
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t bar = line.find('|'); bar != line.npos)
      states[line.substr(0, bar)] = line.substr(bar + 1);
  return states;
}

/// Slurm's MaxArraySize, which is one more than the highest number of an element.
std::size_t largest_array() {
  const std::string settings = output_of({"scontrol", "show", "config"}).output;
  const std::size_t at = settings.find("MaxArraySize");
  const std::size_t digit = at == settings.npos ? at : settings.find_first_of("0123456789", at);
  if (digit == settings.npos) return kUsualArraySize;
  return std::max<std::size_t>(1, std::stoul(settings.substr(digit, 9)));
}

/// The shards, from 0, of which Slurm has a job.
std::set<std::size_t> queued(const fs::path& results, std::size_t shards) {
  std::set<std::size_t> indices;
  const auto states = queue();
  for (const Launched& launch : read_launches(results))
    for (const std::size_t element : launch.elements) {
      if (!states.contains(fmt::format("{}_{}", launch.job, element))) continue;
      if (launch.shards != shards)
        reject(
            "job {} of an earlier launch is still in the queue, and that launch has {} shards, not "
            "{}; give --shards {}, or end the job with scancel",
            launch.job, launch.shards, shards, launch.shards);
      indices.insert(launch.offset + element);
    }
  return indices;
}

/// The shards, from 0 and of so many, that have unfinished trials.
std::vector<std::size_t> unfinished(const plan::Plan& plan, std::size_t count,
                                    const SweepSettings& settings) {
  const std::map<std::string, std::size_t> shards = shards_of_trials(plan, count);
  std::set<std::size_t> indices;
  for (const Chunk& chunk : what_is_left(plan, settings).chunks)
    for (const plan::Trial& trial : chunk.trials) indices.insert(shards.at(trial.id));
  return {indices.begin(), indices.end()};
}

/// Submits a script, which is kept; returns the number of the job.
std::string submit(const fs::path& script, const std::string& text,
                   const std::vector<std::string>& options = {}) {
  write_file(script, text);
  std::vector<std::string> command = {"sbatch", "--parsable"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(script.string());
  const std::string answer = ask(command);
  return answer.substr(0, answer.find_first_of(";\n"));
}

void note_launch(const fs::path& results, const Launched& launch) {
  const Json line = {{"job", launch.job},
                     {"offset", launch.offset},
                     {"shards", launch.shards},
                     {"elements", launch.elements}};
  AppendFile(launches_file(results)).append(line.dump());
}

}  // namespace

int launch_slurm(const plan::Plan& plan, const std::vector<ShardJob>& jobs,
                 const SlurmLaunch& launch, const SweepSettings& settings, bool dry_run,
                 std::ostream& out) {
  check_launch(launch);
  const std::string program = jobs.front().argv.front();
  const std::int64_t minutes = launch.settings.at("minutes");
  std::vector<std::size_t> indices = unfinished(plan, jobs.size(), settings);
  if (dry_run) {
    for (const SlurmArray& array : slurm_arrays(jobs, indices, largest_array(), minutes))
      out << array_script(launch, jobs, array) << '\n';
    out << report_script(launch, program);
    return exit_ok;
  }
  const std::set<std::size_t> waiting = queued(launch.results, jobs.size());
  std::erase_if(indices, [&](std::size_t index) { return waiting.contains(index); });
  if (!waiting.empty())
    out << launch.name << ": " << waiting.size() << " of " << jobs.size()
        << " shards are in Slurm's queue\n";
  if (indices.empty()) {
    out << launch.name << ": nothing to submit\n";
    return exit_ok;
  }
  fs::create_directories(launch.results / "slurm");
  std::string after = "afterany";
  for (const SlurmArray& array : slurm_arrays(jobs, indices, largest_array(), minutes)) {
    const fs::path script = launch.results / "slurm" / fmt::format("array-{}.sh", array.offset);
    std::string job = submit(script, array_script(launch, jobs, array));
    note_launch(launch.results, {job, array.offset, jobs.size(), array.elements});
    after += ":" + job;
    out << launch.name << ": job " << job << " runs " << array.elements.size()
        << (array.elements.size() == 1 ? " shard" : " shards") << '\n';
    // Each waits for all before it to fail: Slurm removes one that is not needed, and that counts as a failure, too.
    std::string dependency = "--dependency=afternotok:" + job;
    for (std::int64_t i = 0; i < launch.settings.at("follow_ups"); ++i) {
      job = submit(script, array_script(launch, jobs, array),
                   {dependency, "--kill-on-invalid-dep=yes"});
      note_launch(launch.results, {job, array.offset, jobs.size(), array.elements});
      dependency += ":" + job;
      after += ":" + job;
      out << launch.name << ": job " << job << " runs them again if any does not end well\n";
    }
  }
  const std::string report = submit(launch.results / "slurm/report.sh",
                                    report_script(launch, program), {"--dependency=" + after});
  out << launch.name << ": job " << report << " reports when they have ended\n";
  return exit_ok;
}

std::optional<SlurmState> slurm_state(const fs::path& results) {
  const std::vector<Launched> launches = read_launches(results);
  if (launches.empty()) return std::nullopt;
  SlurmState state{.shards = launches.back().shards};
  std::map<std::string, std::string> states;
  try {
    states = queue();
  } catch (const std::invalid_argument&) {
    state.answers = false;
    return state;
  }
  std::map<std::size_t, std::string> shards;  // the state of each, by the first job that Slurm has
  for (const Launched& launch : launches) {
    if (launch.shards != state.shards) continue;  // of a launch that was cut otherwise
    for (const std::size_t element : launch.elements) {
      const auto found = states.find(fmt::format("{}_{}", launch.job, element));
      std::string& word = shards[launch.offset + element];
      if (word.empty() && found != states.end()) word = found->second;
    }
  }
  for (const auto& [index, word] : shards) {
    if (word == "R" || word == "CG")
      ++state.running;
    else if (fs::exists(done_file(results, {index + 1, state.shards})))
      continue;  // a follow-up may still wait for it
    else if (word.empty())
      state.lost.push_back(index + 1);
    else
      ++state.waiting;
  }
  return state;
}

std::string SlurmState::text() const {
  if (!answers) return "Slurm: does not answer here.";
  std::string text = fmt::format("Slurm: {} of {} shards run, {} wait", running, shards, waiting);
  if (!lost.empty())
    text += fmt::format(
        "; no job is left of {} ({}), which the same `ablate run --launcher slurm` submits again",
        lost.size(), fmt::join(lost, ", "));
  return text + ".";
}

void to_json(Json& json, const SlurmState& state) {
  json = {{"answers", state.answers}, {"shards", state.shards}};
  if (state.answers)
    json.update(
        {{"running", state.running}, {"waiting", state.waiting}, {"without_job", state.lost}});
}

}  // namespace ablate::run
