#include "harness/run/slurm/slurm_script.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/text/shell.h"

namespace ablate::run {
namespace {

constexpr std::int64_t kLeastMinutes = 10;
constexpr double kTimesEstimate = 1.5;

/// Settings of a file that are options of sbatch of the same name.
constexpr const char* kOptions[] = {"partition", "account", "qos", "constraint", "exclude"};

bool consists_of(std::string_view text, std::string_view more) {
  return std::ranges::all_of(text, [&](char c) {
    const bool alphanumeric =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return alphanumeric || more.find(c) != more.npos;
  });
}

/// The lines "#SBATCH" that arrays and the report have in common.
std::string common_lines(const SlurmLaunch& launch) {
  std::string lines;
  for (const char* option : kOptions)
    if (const std::string value = launch.settings.at(option); !value.empty())
      lines += fmt::format("#SBATCH --{}={}\n", option, value);
  return lines;
}

/// A line by which a shard that is done, with trials that failed, ends well: else follow-ups would run.
std::string done_words(const SlurmLaunch& launch) {
  return launch.settings.at("follow_ups") == 0
             ? ""
             : fmt::format("if [ \"$status\" = {} ]; then exit 0; fi\n",
                           static_cast<int>(exit_some_failed));
}

/// A line that gives a variable of this process to the job; empty where it is not set.
std::string exported(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : fmt::format("export {}={}\n", name, shell_word(value));
}

}  // namespace

std::vector<SlurmArray> slurm_arrays(const std::vector<ShardJob>& jobs,
                                     const std::vector<std::size_t>& indices, std::size_t limit,
                                     std::int64_t minutes) {
  std::vector<SlurmArray> arrays;
  for (const std::size_t index : indices) {
    const std::size_t offset = index / limit * limit;
    if (arrays.empty() || arrays.back().offset != offset)
      arrays.push_back({.offset = offset, .minutes = minutes});
    SlurmArray& array = arrays.back();
    array.elements.push_back(index - offset);
    if (minutes == 0)
      array.minutes = std::max(
          {array.minutes, kLeastMinutes,
           static_cast<std::int64_t>(std::ceil(kTimesEstimate * jobs[index].seconds / 60))});
  }
  return arrays;
}

std::string ranges_of(const std::vector<std::size_t>& ascending) {
  std::string text;
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t last = i;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ascending[i]);
    if (last > i) text += fmt::format("-{}", ascending[last]);
    i = last + 1;
  }
  return text;
}

void check_launch(const SlurmLaunch& launch) {
  for (const char* option : kOptions)
    if (const std::string value = launch.settings.at(option);
        !consists_of(value, "_.,:/@%+=&|*[]()-"))
      reject("launcher.slurm.{}: {} has characters that no name in Slurm has", option,
             ascii_text(Json(value)).substr(0, 80));
  for (const Json& option : launch.settings.at("extra")) {
    const std::string text = option;
    if (!text.starts_with("--") || !consists_of(text, "_.,:/@%+=-"))
      reject("launcher.slurm.extra: {} is not an option of sbatch, such as \"--gres=gpu:a100:1\"",
             ascii_text(Json(text)).substr(0, 80));
  }
  if (!consists_of(launch.results.string(), "_./+=@,:-"))
    reject(
        "--results {}: Slurm gives blanks, % and some other characters in a path another meaning; "
        "choose another folder",
        launch.results.string());
}

std::string array_script(const SlurmLaunch& launch, const std::vector<ShardJob>& jobs,
                         const SlurmArray& array) {
  const std::int64_t parallel = launch.settings.at("parallel");
  const ShardJob& first = jobs.at(array.offset + array.elements.at(0));
  const std::int64_t memory = launch.settings.at("memory");
  std::string script = fmt::format(
      "#!/bin/sh\n#SBATCH --job-name=ablate-{}\n#SBATCH --array={}{}\n#SBATCH --time={}\n"
      "#SBATCH --cpus-per-task={}\n",
      launch.name, ranges_of(array.elements), parallel > 0 ? fmt::format("%{}", parallel) : "",
      array.minutes, first.cores);
  if (memory >= 0)
    script += fmt::format("#SBATCH --mem={:.0f}M\n",
                          memory > 0 ? static_cast<double>(memory) : std::ceil(first.memory / 1e6));
  if (first.gpus > 0) script += fmt::format("#SBATCH --gres=gpu:{}\n", first.gpus);
  script += fmt::format(
      "#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=USR1@120\n#SBATCH "
      "--output={}/slurm/%A_%a.log\n",
      launch.results.string());
  script += common_lines(launch);
  for (const Json& option : launch.settings.at("extra"))
    script += fmt::format("#SBATCH {}\n", option.get<std::string>());
  script +=
      "# Written by `ablate run --launcher slurm`. Each job runs a shard; what is done is not done "
      "again.\n";
  for (const char* name : {"ABLATE_CACHE", "ABLATE_EXPERIMENTS"}) script += exported(name);
  script += fmt::format(
      "cd {} || exit 1\nshard=$(({} + SLURM_ARRAY_TASK_ID))\nsrun --kill-on-bad-exit=1 "
      "--unbuffered --cpus-per-task={}",
      shell_word(first.folder.string()), array.offset + 1, first.cores);
  // All jobs of a list have the same command but for its last word, the shard.
  for (std::size_t i = 0; i + 1 < first.argv.size(); ++i) script += " " + shell_word(first.argv[i]);
  script += fmt::format(
      " \"$shard/{}\"\nstatus=$?\n"
      "if [ \"$status\" = {} ] && command -v scontrol > /dev/null; then scontrol requeue "
      "\"${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}\"; fi\n"
      "{}exit \"$status\"\n",
      first.shard.count, static_cast<int>(exit_preempted), done_words(launch));
  return script;
}

std::string report_script(const SlurmLaunch& launch, const std::string& program) {
  return fmt::format(
      "#!/bin/sh\n#SBATCH --job-name=ablate-{}-report\n#SBATCH --time=60\n#SBATCH "
      "--output={}/slurm/report-%j.log\n{}"
      "exec {} report {}\n",
      launch.name, launch.results.string(), common_lines(launch), shell_word(program),
      shell_word(launch.results.string()));
}

}  // namespace ablate::run
