// Writing a made-up sweep.

#include "tests/bench/sweep_folder.h"

#include <fmt/core.h>

#include <cstdlib>

#include "harness/base/posix/program.h"
#include "harness/base/rng.h"
#include "harness/plan/trial/plan.h"
#include "harness/plan/trial/plan_json.h"
#include "tests/paths.h"

namespace ablate::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kPoints = 100;  // of a curve: the default
constexpr int kSamples = 4;   // generated texts that a report can show

Json sweep(int arms, int seeds) {
  Json rates = Json::array();
  for (int arm = 1; arm <= arms; ++arm) rates.push_back(0.9 * arm / arms);
  return {{"name", "sweep"},
          {"question", "Which masking rate serves masked LM best?"},
          {"extends", {"base/small.json"}},
          {"arms",
           {{{"name", "mlm"},
             {"set", {{"objective", {{"type", "masked_lm"}}}}},
             {"grid", {{"objective.rate", rates}}}}}},
          {"baseline", "mlm[rate=0.9]"},
          {"seeds", seeds},
          {"limits", {{"trials", arms * seeds}}},
          {"analysis", {{"primary", "held_out.loss_at_15"}}}};
}

/// What `ablate plan --json` says of an experiment. Planning itself is not linked here: it brings a
/// tokeniser that does not live beside LibTorch.
Json plan_of(const fs::path& experiment) {
  const fs::path answer = experiment.string() + ".plan";
  const std::string command =
      fmt::format("{}/ablate plan {} --json > {}", program_folder().string(), experiment.string(),
                  answer.string());
  if (std::system(command.c_str()) != 0) fail("benchmark: failed: {}", command);
  return Json::parse(read_file(answer));
}

void write_curve(store::Journal& journal, const plan::Trial& trial, Rng& rng) {
  for (int point = 1; point <= kPoints; ++point)
    journal.write("curve", {{"step", trial.steps * point / kPoints},
                            {"text_tokens", trial.text_tokens * point / kPoints},
                            {"loss", 2 + 2.0 / point + 0.01 * rng.normal()},
                            {"learning_rate", 3e-3},
                            {"gradient_norm", 0.5 + 0.1 * rng.uniform()},
                            {"spike", false},
                            {"seconds", 0.1 * point}});
}

/// One measurement of each planned probe, with the metrics that the plan names after it.
void write_measurements(store::Journal& journal, const plan::Trial& trial, const Json& metrics,
                        Rng& rng) {
  const Json probes = trial.probes;
  for (const Json& probe : probes) {
    const std::string type = probe.at("type");
    Json values = Json::object(), samples = Json::array();
    for (const Json& metric : metrics)
      if (const std::string name = metric.at("name"); name.starts_with(type + '.'))
        values[name] = 1 + 0.1 * rng.normal();
    for (int i = 0; type == "generation" && i < kSamples; ++i)
      samples.push_back({{"text", std::string(200, 'a')}, {"about", {{"log_probability", -3.5}}}});
    journal.write("measurement", {{"id", probe.at("id")},
                                  {"probe", type},
                                  {"metrics", values},
                                  {"details", {{"texts", 400}}},
                                  {"samples", samples}});
  }
}

void write_trial(const fs::path& results, const plan::Trial& trial, const Json& metrics, Rng rng) {
  fs::create_directories(store::journal_file(results, trial.id).parent_path());
  store::Journal journal(store::journal_file(results, trial.id));
  journal.write("attempt",
                {{"trial", trial}, {"provenance", {{"host", "made-up"}, {"processor", "none"}}}});
  write_curve(journal, trial, rng);
  for (const char* stage : {"data", "model", "train", "probes"})
    journal.write("stage", {{"stage", stage}, {"seconds", 2.5}});
  journal.write("ledger", {{"parameters", trial.parameters.total},
                           {"steps", trial.steps},
                           {"text_tokens", trial.text_tokens},
                           {"targets", trial.text_tokens / 7},
                           {"flops", trial.flops},
                           {"seconds", 10.0}});
  write_measurements(journal, trial, metrics, rng);
  journal.write("outcome", {{"outcome", "completed"}, {"message", ""}});
}

}  // namespace

SweepFolder::SweepFolder() {
  ::setenv("ABLATE_CACHE", (path() / "cache").c_str(), 1);
  fs::copy(project_root() / "experiments/base", path() / "base");
}

fs::path SweepFolder::experiment(int arms, int seeds) const {
  const fs::path file = path() / fmt::format("sweep-{}-{}.json", arms, seeds);
  write_file(file, sweep(arms, seeds).dump(2));
  return file;
}

fs::path SweepFolder::results(int arms, int seeds) const {
  const fs::path file = experiment(arms, seeds);
  const Json planned = plan_of(file);
  const plan::Plan plan = plan::plan_from_json(planned);
  const fs::path results = path() / fmt::format("results-{}-{}", arms, seeds);
  store::freeze_plan(results, planned, {{"experiment.json", read_file(file, 1 << 24)}});
  Rng rng(1);
  for (std::size_t i = 0; i < plan.trials.size(); ++i)
    write_trial(results, plan.trials[i], plan.metrics.at(plan.trials[i].arm), rng.fork(i));
  return results;
}

}  // namespace ablate::bench
