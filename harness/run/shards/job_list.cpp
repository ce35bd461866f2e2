#include "harness/run/shards/job_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/text/shell.h"
#include "harness/plan/price/time/plan_time.h"

namespace ablate::run {
namespace {

constexpr double kSecondsOfAJob = 600;  // over which a start of a few seconds does not count

/// What a worker takes before it holds a model, and how many times what a model takes on a GPU. Measured for one trial at a
/// time, with models of width 64 and 256: 260 and 559 MB; so estimated: 306 and 598.
constexpr double kBaseBytes = 250e6, kTimes = 6;

/// The number of jobs that each take about kSecondsOfAJob.
std::size_t usual_count(const plan::Plan& plan, double seconds) {
  const double wanted = std::ceil(seconds / kSecondsOfAJob);
  return std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1,
                                 std::max<std::size_t>(1, plan.trials.size()));
}

/// The most bytes that a trial of the plan takes.
double most_bytes(const plan::Plan& plan) {
  double most = 0;
  for (const Json& row : plan.ledger)
    most =
        std::max(most, row.value("gpu_bytes_a_lane", 0.0) + row.value("gpu_bytes_of_logits", 0.0));
  return kBaseBytes + kTimes * most;
}

}  // namespace

std::vector<ShardJob> jobs_of(const plan::Plan& plan, const JobRequest& request) {
  if (request.shards > plan.trials.size())
    reject("--shards {}: the plan has {} trials; give at most as many", request.shards,
           plan.trials.size());
  const std::vector<plan::TrialTime> times = plan::trial_times(plan.trials, request.device);
  double seconds = 0;
  for (const plan::TrialTime& time : times) seconds += time.all();
  const std::size_t count = request.shards > 0 ? request.shards : usual_count(plan, seconds);
  const double memory = most_bytes(plan);
  const auto ranks = static_cast<std::int64_t>(request.ranks);
  std::vector<ShardJob> jobs;
  jobs.reserve(count);
  for (std::size_t index = 1; index <= count; ++index) {
    ShardJob job{.shard = {index, count},
                 .argv = request.command,
                 .folder = request.folder,
                 .cores = ranks,
                 .gpus = request.device == "cpu" ? 0 : ranks,
                 .memory = memory * static_cast<double>(ranks)};
    job.argv.insert(job.argv.end(), {"--shard", job.shard.text()});
    job.done_file = done_file(request.results, job.shard);
    jobs.push_back(std::move(job));
  }
  const std::map<std::string, std::size_t> places = shards_of_trials(plan, count);
  for (std::size_t i = 0; i < times.size(); ++i)
    jobs[places.at(plan.trials[i].id)].seconds += times[i].all();
  return jobs;
}

std::string json_line(const ShardJob& job) {
  const Json line = {{"shard", job.shard.text()},
                     {"folder", job.folder.string()},
                     {"argv", job.argv},
                     {"cores", job.cores},
                     {"gpus", job.gpus},
                     {"memory_mb", std::ceil(job.memory / 1e6)},
                     {"seconds", std::ceil(job.seconds)},
                     {"done_file", job.done_file.string()},
                     {"retry_exit", {static_cast<int>(exit_preempted)}}};
  return line.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string shell_line(const ShardJob& job) {
  // One simple command, so that no shell stands between a signal and the program.
  std::string line = "env -C " + shell_word(job.folder.string());
  for (const std::string& argument : job.argv) line += " " + shell_word(argument);
  if (line.find('\n') != line.npos)
    reject(
        "--jobs sh: a flag or a path has a line break, and each job is one line; use --jobs jsonl");
  return line + "\n";
}

}  // namespace ablate::run
