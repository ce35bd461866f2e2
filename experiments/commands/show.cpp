// `ablate show`: prints everything that is known about one trial.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <span>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/names.h"
#include "harness/base/text/shell.h"
#include "harness/run/progress/text.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/journal.h"
#include "harness/store/plan/stored_plan.h"
#include "reports/text/sample.h"

namespace ablate::commands {
namespace {

constexpr std::size_t kShownSamples = 5;
constexpr std::size_t kShownSpikes = 20, kShownDocuments = 8;

/// Refuses "ARM,SEED" of an arm that is there, with the seeds that it has.
void refuse_seed(const store::StoredPlan& plan, const std::string& name,
                 const std::string& results) {
  const std::string arm = name.substr(0, name.rfind(','));
  std::string seeds;
  for (const store::StoredTrial& trial : plan.trials)
    if (trial.arm == arm) seeds += fmt::format("{}{}", seeds.empty() ? "" : ", ", trial.seed);
  if (!seeds.empty())
    reject("{}: no trial is '{}'; arm {} has the seeds {}", results, name, arm, seeds);
}

/// The planned trial that `name` stands for: an id, the start of one, or "ARM,SEED".
const store::StoredTrial& find_trial(const store::StoredPlan& plan, const std::string& name,
                                     const std::string& results) {
  std::vector<const store::StoredTrial*> found;
  for (const store::StoredTrial& trial : plan.trials) {
    if (fmt::format("{},{}", trial.arm, trial.seed) == name || trial.id == name) return trial;
    if (name.size() >= 4 && trial.id.starts_with(name)) found.push_back(&trial);
  }
  if (found.size() == 1) return *found[0];
  refuse_seed(plan, name, results);
  std::string arms;
  for (const store::StoredArm& arm : plan.arms) arms += (arms.empty() ? "" : ", ") + arm.name;
  reject("{}: {} '{}'; name one by its id (see `ablate status {}`) or as ARM,SEED; the arms are {}",
         results, found.empty() ? "no trial is" : "several trials start with", name,
         shell_word(results), arms);
}

/// `fatal`: it is the last point of a trial that diverged, whose loss may be no number.
Json loss_json(const store::CurvePoint& point, bool fatal) {
  return std::isnan(point.loss) && !fatal ? Json() : store::number_to_json(point.loss);
}

Json json_of(const store::CurvePoint& point, bool fatal) {
  return {{"step", point.step},
          {"text_tokens", store::number_to_json(point.text_tokens)},
          {"loss", loss_json(point, fatal)},
          {"learning_rate", store::number_to_json(point.learning_rate)},
          {"gradient_norm", store::number_to_json(point.gradient_norm)},
          {"spike", point.spike}};
}

Json json_of(const store::StoredMeasurement& made) {
  Json metrics = Json::object(), samples = Json::array();
  for (const auto& [name, value] : made.metrics) metrics[name] = store::number_to_json(value);
  for (const store::Sample& sample : made.samples)
    samples.push_back({{"text", sample.text}, {"about", sample.about}});
  Json json = {{"id", made.id},      {"probe", made.probe},     {"attempt", made.attempt},
               {"metrics", metrics}, {"details", made.details}, {"samples", samples}};
  if (made.at)
    json["at"] = {{"step", made.at->step},
                  {"text_tokens", store::number_to_json(made.at->text_tokens)},
                  {"targets", store::number_to_json(made.at->targets)},
                  {"flops", store::number_to_json(made.at->flops)},
                  {"seconds", store::number_to_json(made.at->seconds)}};
  return json;
}

Json json_of(const store::Attempt& attempt) {
  return {{"number", attempt.number},   {"started", attempt.started},
          {"ended", attempt.ended},     {"outcome", attempt.outcome},
          {"message", attempt.message}, {"provenance", attempt.provenance}};
}

/// The trial as one document, as printed by `show --json`.
Json document_of(const store::StoredTrial& trial, const store::TrialState& state) {
  Json attempts = Json::array(), curve = Json::array(), measurements = Json::array(),
       stages = Json::array(), checkpoints = Json::array();
  for (const auto& one : state.attempts) attempts.push_back(json_of(one));
  const std::vector<store::CurvePoint> points = state.curve.points();
  for (const auto& one : points)
    curve.push_back(json_of(one, state.outcome == "diverged" && &one == &points.back()));
  for (const auto& one : state.measurements) measurements.push_back(json_of(one));
  for (const auto& one : state.stages)
    stages.push_back({{"attempt", one.attempt},
                      {"stage", one.stage},
                      {"seconds", store::number_to_json(one.seconds)}});
  for (const auto& one : state.checkpoints)
    checkpoints.push_back({{"step", one.step}, {"file", one.file}, {"sha256", one.sha256}});
  return {
      {"id", trial.id},           {"arm", trial.arm},           {"seed", trial.seed},
      {"outcome", state.outcome}, {"message", state.message},   {"config", trial.complete_config()},
      {"ledger", state.ledger},   {"attempts", attempts},       {"stages", stages},
      {"curve", curve},           {"checkpoints", checkpoints}, {"measurements", measurements}};
}

/// A value as one line that is safe to print. Results folders are handed around, so nothing in them
/// is trusted to be what a run wrote.
std::string line_of(const Json& value) {
  return run::printable(value.is_string() ? value.get<std::string>() : canonical(value));
}

/// Prints a JSON value as indented lines "name: value".
void print_tree(const Json& value, const std::string& indent) {
  for (const auto& [name, member] : value.items()) {
    std::cout << indent << run::printable(name) << ": ";
    if (member.is_object() && !member.empty()) {
      std::cout << '\n';
      print_tree(member, indent + "  ");
    } else {
      std::cout << line_of(member) << '\n';
    }
  }
}

/// A point's loss, or why it has none. `fatal`: it is the last one of a trial that diverged.
std::string loss_text(const store::CurvePoint& point, bool fatal) {
  if (std::isnan(point.loss) && !fatal) return "no loss (no target was scored)";
  return fmt::format("loss {:g}", point.loss);
}

/// In which points a step spiked. That there are none is said of the steps that were looked at.
std::string spikes_text(const std::vector<store::CurvePoint>& curve) {
  std::vector<std::int64_t> steps;
  for (const store::CurvePoint& point : curve)
    if (point.spike) steps.push_back(point.step);
  if (!steps.empty())
    return fmt::format(
        "spikes in {} of them, at step{} {}{}", steps.size(), steps.size() == 1 ? "" : "s",
        fmt::join(std::span(steps).first(std::min(steps.size(), kShownSpikes)), ", "),
        steps.size() > kShownSpikes ? " ..." : "");
  return fmt::format("no spikes (in the first {} steps of a phase only above its initial loss)",
                     store::kStepsBeforeSpikes);
}

/// Where the loss was highest, if not at the start: a rise that no single step is a spike of. Points
/// without a loss are passed over.
void print_highest(std::vector<store::CurvePoint> curve) {
  std::erase_if(curve, [](const store::CurvePoint& point) { return std::isnan(point.loss); });
  if (curve.empty()) return;
  const auto highest = std::max_element(
      curve.begin(), curve.end(), [](const auto& a, const auto& b) { return a.loss < b.loss; });
  if (highest->loss > curve.front().loss)
    std::cout << "  highest loss: " << highest->loss << ", at the point of step " << highest->step
              << '\n';
}

/// The steps that spiked, with the documents that they read.
void print_spikes(const std::vector<store::LossSpike>& spikes) {
  for (const store::LossSpike& spike :
       std::span(spikes).first(std::min(spikes.size(), kShownSpikes))) {
    std::vector<std::int64_t> documents;
    for (const store::SpikeDocument& read : spike.documents) documents.push_back(read.document);
    const bool more = documents.size() > kShownDocuments;
    documents.resize(std::min(documents.size(), kShownDocuments));
    std::cout << fmt::format("  spike: step {}, loss {:g}, its texts begin in documents {}{}\n",
                             spike.step, spike.loss, fmt::join(documents, ", "),
                             more ? " ..." : "");
  }
  if (spikes.size() > kShownSpikes)
    std::cout << fmt::format("  and {} more spikes\n", spikes.size() - kShownSpikes);
}

void print_curve(const store::TrialState& state) {
  const std::vector<store::CurvePoint> curve = state.curve.points();
  if (curve.empty()) return;
  std::cout << "\ncurve: " << curve.size() << " points, " << spikes_text(curve) << '\n';
  for (std::size_t quarter = 0; quarter <= 4; ++quarter) {
    const store::CurvePoint& point = curve[quarter * (curve.size() - 1) / 4];
    const bool fatal = state.outcome == "diverged" && &point == &curve.back();
    std::cout << "  step " << point.step << ": " << loss_text(point, fatal) << ", learning rate "
              << point.learning_rate << ", gradient norm " << point.gradient_norm << '\n';
  }
  print_highest(curve);
  print_spikes(state.spikes);
}

void print_measurement(const store::StoredMeasurement& made) {
  std::cout << '\n' << run::printable(made.probe);
  if (made.at) std::cout << " after step " << made.at->step;
  std::cout << " (measurement " << run::printable(made.id) << ")\n";
  for (const auto& [name, value] : made.metrics)
    std::cout << "  " << run::printable(name) << ": " << value << '\n';
  const std::size_t shown = std::min(made.samples.size(), kShownSamples);
  for (std::size_t i = 0; i < shown; ++i)
    std::cout << "  sample: "
              << run::printable(reports::with_line_ends(reports::marked_text(made.samples[i])))
              << "  " << line_of(made.samples[i].about) << '\n';
  if (made.samples.size() > shown)
    std::cout << "  and " << made.samples.size() - shown << " more samples (--json shows them)\n";
}

void print(const store::StoredTrial& trial, const store::TrialState& state) {
  std::cout << "trial " << line_of(trial.id) << ": arm " << line_of(trial.arm) << ", seed "
            << trial.seed << ", " << line_of(state.outcome) << '\n';
  if (!state.message.empty()) std::cout << run::printable(state.message) << '\n';
  std::cout << "\nconfig\n";
  Json config = trial.complete_config();
  // The share that is held out where no files are named: it has no part in this trial.
  if (config.contains(Json::json_pointer("/corpus/held_out/paths")))
    config["corpus"]["held_out"].erase("share");
  print_tree(config, "  ");
  if (state.ledger.is_object()) {
    std::cout << "\nledger\n";
    print_tree(state.ledger, "  ");
  }
  print_curve(state);
  for (const store::StoredMeasurement& made : state.measurements) print_measurement(made);
  for (const store::Attempt& attempt : state.attempts) {
    std::cout << "\nattempt " << attempt.number << ": " << line_of(attempt.started) << " to "
              << line_of(attempt.ended) << ", "
              << (attempt.outcome.empty() ? "no outcome" : line_of(attempt.outcome)) << '\n';
    if (attempt.provenance.is_object()) print_tree(attempt.provenance, "  ");
  }
}

}  // namespace

void add_show(Program& program) {
  CLI::App* command = program.app.add_subcommand("show", "Show everything about one trial");
  struct Options {
    std::string results;
    std::string trial;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("DIR", options->results, "the results folder")->required();
  command->add_option("TRIAL", options->trial, "its id, the start of its id, or ARM,SEED")
      ->required();
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      const Json document = store::read_plan(options->results);
      const store::StoredPlan plan = store::stored_plan(document);
      const store::StoredTrial& trial = find_trial(plan, options->trial, options->results);
      const store::TrialState state =
          store::read_trial_state(store::journal_file(options->results, trial.id));
      if (options->json)
        std::cout << ascii_text(document_of(trial, state), 1) << '\n';
      else
        print(trial, state);
      return exit_ok;
    });
  });
}

}  // namespace ablate::commands
