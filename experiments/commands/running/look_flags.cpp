#include "experiments/commands/running/look_flags.h"

#include <fmt/ranges.h>

#include "harness/base/error.h"
#include "harness/store/index/records.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/looks.h"

namespace ablate::commands {

void add_look_flags(CLI::App& command, LookFlags& flags) {
  command.add_flag("--until-decided", flags.until_decided,
                   "add seeds in groups until every arm is decided or the cap is reached; alpha "
                   "holds for all looks together");
  command
      .add_option("--cap", flags.limits.cap,
                  "with --until-decided: maximum number of seeds per arm (default: three times the "
                  "number at the first look, which takes the file's seeds, or as many as it needs "
                  "to find anything)")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--group", flags.limits.group,
                  "with --until-decided: number of seeds to add after each look (default: half the "
                  "number at the first look)")
      ->check(CLI::PositiveNumber);
}

void check_look_flags(const LookFlags& flags, const plan::Overrides& overrides) {
  if (!flags.until_decided) {
    if (flags.limits.cap || flags.limits.group)
      reject("{} is for --until-decided: without it, \"seeds\" says how many there are",
             flags.limits.cap ? "--cap" : "--group");
    return;
  }
  if (!overrides.only.empty() || !overrides.drop.empty())
    reject(
        "--until-decided decides the whole experiment, but {} leaves only a part of it; give one "
        "or the other",
        overrides.only.empty() ? "--drop" : "--only");
}

plan::Plan plan_at_look(const MakePlan& make, plan::Overrides overrides, const plan::Plan& own,
                        const statistics::Looks& looks, std::size_t look) {
  const std::vector<std::int64_t> seeds = plan::seeds_of_look(own, looks[look - 1]);
  overrides.set.push_back(fmt::format("seeds=[{}]", fmt::join(seeds, ",")));
  plan::Plan plan = make(overrides);
  plan::set_looks(plan, looks, look);
  return plan;
}

run::LookResult judged(const std::filesystem::path& results) {
  const store::Records records = store::load_records(results);
  const reports::Analysis analysis = reports::analyse(records);
  std::vector<std::string> verdicts;
  for (const reports::Difference& difference : analysis.differences)
    if (difference.primary)
      verdicts.push_back(fmt::format("{} {}", analysis.label(difference.arm),
                                     reports::verdict_text(analysis, difference)));
  return {reports::is_decided(analysis), fmt::format("{}", fmt::join(verdicts, ", "))};
}

}  // namespace ablate::commands
