// Reads an experiment file: checks keys, values and names, and fills in defaults.

#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/names.h"
#include "harness/data/tasks/task_text.h"
#include "harness/plan/file/merge.h"
#include "harness/plan/read/arms.h"
#include "harness/plan/read/read_probes.h"
#include "harness/plan/read/read_seeds.h"
#include "harness/plan/read/refusals.h"
#include "harness/plan/trial/phase.h"

namespace ablate::plan {
namespace {

constexpr std::string_view kKeys[] = {
    "$schema",  "name",  "question", "extends", "corpus",   "model",  "train",  "objective", "arms",
    "baseline", "seeds", "match",    "probes",  "analysis", "tuning", "limits", "launcher"};

constexpr std::size_t kMaxNames = 12;  // of arms in a message

/// The maximum number of trials of an arm: those that tune it, without extensions, and those of the
/// result at its own and at the common rate.
std::size_t trials_per_arm(const Experiment& experiment) {
  const std::size_t seeds = experiment.seeds.size();
  if (!experiment.tuning) return seeds;
  return 2 * seeds + experiment.tuning->rates.size() * experiment.tuning->seeds.size();
}

class Reader {
 public:
  Reader(const Catalog& catalog, const Sources& sources, Faults& faults)
      : catalog_(catalog), sources_(sources), file_(sources.merged()), faults_(faults) {}

  Experiment read() {
    Experiment experiment;
    check_keys();
    read_name(experiment);
    read_corpus(experiment);
    experiment.seeds = read_seeds(sources_, faults_);
    experiment.match = read_match();
    experiment.analysis = read_analysis();
    experiment.tuning = read_tuning(sources_, experiment.seeds, faults_);
    const std::int64_t max_trials = read_limits(experiment);
    experiment.launcher = section("launcher", launcher_params()).values;
    const std::size_t before = faults_.count();
    // Nothing more is read after too many faults, and what was said before is not counted again.
    const auto all_read = [&] {
      return faults_.count() == before && !faults_.full() && !experiment.arms.empty();
    };
    experiment.arms =
        read_arms(catalog_, sources_, trials_per_arm(experiment), max_trials, faults_);
    const bool all_arms = all_read();
    const Json entries = file_.value("arms", Json());
    experiment.several_arms =
        experiment.arms.size() > 1 || (entries.is_array() && entries.size() > 1);
    experiment.probes = read_probes(catalog_, sources_, faults_);
    experiment.complete = all_read();
    check_budgets(experiment.arms);
    if (experiment.tuning) check_tuned(sources_, experiment.arms, faults_);
    read_baseline(experiment, all_arms);
    return experiment;
  }

 private:
  void refuse(const std::string& pointer, std::string message, std::string hint = "") {
    faults_.add(sources_.value_at(pointer), std::move(message), std::move(hint));
  }

  void check_keys() {
    for (const auto& [key, value] : file_.items()) {
      if (faults_.full() || std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys))
        continue;
      faults_.add(sources_.key_at("/" + key),
                  fmt::format("an experiment has no \"{}\"", key.substr(0, 80)),
                  suggestion(key, kKeys, "there are", '"'));
    }
  }

  /// Whether an unknown key, which is refused, most likely stands for this one.
  bool is_misspelt(std::string_view key) const {
    for (const auto& [given, value] : file_.items())
      if (std::find(std::begin(kKeys), std::end(kKeys), given) == std::end(kKeys) &&
          closest_match(given, kKeys) == key)
        return true;
    return false;
  }

  void read_name(Experiment& experiment) {
    if (!file_.contains("name") && is_misspelt("name")) return;
    if (!file_.contains("name"))
      refuse("", "an experiment needs a \"name\"", name_rule());
    else if (!file_["name"].is_string() || !is_name(file_["name"].get_ref<const std::string&>()))
      refuse(
          "/name",
          fmt::format("{} is not a name of an experiment", canonical(file_["name"]).substr(0, 80)),
          name_rule(file_["name"].is_string() ? file_["name"].get<std::string>() : ""));
    else
      experiment.name = file_["name"];
    if (file_.contains("question") && !file_["question"].is_string())
      refuse("/question", "a question must be a string");
    else
      experiment.question = file_.value("question", "");
  }

  /// A section with its defaults. A refused one keeps what was given.
  struct Section {
    Json values;
    bool good = false;  // nothing was refused
  };

  Section section(const std::string& name, std::span<const Param> rows) {
    std::vector<Refusal> refusals;
    Json resolved = resolve(rows, file_.value(name, Json::object()), refusals);
    return {std::move(resolved), add_refusals(refusals, name, sources_, "/" + name, faults_)};
  }

  void read_corpus(Experiment& experiment) {
    std::vector<Refusal> refusals;
    Json resolved = resolve(corpus_section(), file_.value("corpus", Json::object()), refusals);
    const std::string kind = resolved.value("kind", "");
    const bool task = kind == "task";
    const bool good = add_refusals(refusals, "corpus", sources_, "/corpus", faults_) &&
                      (!task || can_be_drawn(resolved));
    // What arms and probes make of a task depends on its settings, so that one that is refused is not known.
    if (good || !task) experiment.corpus_kind = kind;
    if (good) experiment.corpus = std::move(resolved);
  }

  bool can_be_drawn(const Json& task) {
    try {
      static_cast<void>(data::TaskText(task));
      return true;
    } catch (const std::invalid_argument& error) {
      faults_.add(sources_.value_at("/corpus"), error.what());
      return false;
    }
  }

  /// Returns the maximum number of trials: that of any experiment if the section was refused.
  std::int64_t read_limits(Experiment& experiment) {
    auto [values, good] = section("limits", limits_params());
    experiment.limits = std::move(values);
    return good ? experiment.limits.at("trials").get<std::int64_t>() : kMaxTrials;
  }

  Match read_match() {
    auto [values, good] = section("match", match_params());
    Match match{.section = std::move(values)};
    if (!good) return match;
    match.counts = match.section.at("on").get<std::vector<std::string>>();
    match.tolerance = match.section.at("tolerance");
    return match;
  }

  store::DeclaredAnalysis read_analysis() {
    auto [values, good] = section("analysis", analysis_params());
    if (good) return values.get<store::DeclaredAnalysis>();
    if (values.is_object()) values.erase("trends");  // not as declared
    return {.section = std::move(values)};
  }

  /// Refuses arms without a budget, which phases may replace, in one message if all have none.
  void check_budgets(const std::vector<ResolvedArm>& arms) {
    std::vector<std::string_view> without;
    for (const ResolvedArm& arm : arms)
      if (!arm.has_phases() && budget_of(arm.train).unit.empty()) without.push_back(arm.name);
    const bool all = without.size() == arms.size();
    const bool nothing = !file_.contains("arms") && !file_.contains("train");
    if (arms.empty() ? !nothing : without.empty()) return;
    if (without.size() > kMaxNames) without.resize(kMaxNames);
    faults_.add(
        sources_.key_at("/train/budget"),
        all ? "the experiment has no budget"
            : fmt::format("no budget for {}", fmt::join(without, ", ")),
        "give one of tokens, positions, targets, flops, steps and seconds, such as \"train\": "
        "{\"budget\": {\"tokens\": 1000000}}");
  }

  /// `all_arms`: whether none was refused and left out.
  void read_baseline(Experiment& experiment, bool all_arms) {
    if (!file_.contains("baseline")) {
      if (experiment.several_arms && !is_misspelt("baseline"))
        refuse("", "an experiment with several arms needs a \"baseline\"",
               experiment.arms.empty()
                   ? "name one of its arms"
                   : fmt::format("name one of its arms, such as \"baseline\": \"{}\"",
                                 experiment.arms.front().name));
      return;
    }
    const std::string wanted =
        file_["baseline"].is_string() ? canonical_name(file_["baseline"].get<std::string>()) : "";
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
      if (experiment.arms[i].name == wanted) experiment.baseline = i;
      names.push_back(experiment.arms[i].name);
    }
    if (std::find(names.begin(), names.end(), wanted) != names.end() || !all_arms) return;
    const std::string_view near = closest_match(wanted, names);
    if (names.size() > kMaxNames) names.resize(kMaxNames);
    refuse("/baseline",
           fmt::format("no arm is named {}", canonical(file_["baseline"]).substr(0, 80)),
           near.empty() ? fmt::format("there are: {}", fmt::join(names, ", "))
                        : fmt::format("did you mean \"{}\"?", near));
  }

  const Catalog& catalog_;
  const Sources& sources_;
  const Json& file_;
  Faults& faults_;
};

}  // namespace

Experiment read_experiment(const Catalog& catalog, const std::filesystem::path& file,
                           const Overrides& overrides, Faults& faults) {
  const auto sources = std::make_shared<Sources>(file, faults);
  faults.throw_if_any();
  sources->add_arms(parse_arms(overrides.arms, faults));
  const std::vector<Assignment> flags = parse_set(overrides.set, faults);
  std::vector<std::string> warnings = check_set(flags, sources->merged(), faults);
  faults.throw_if_any();
  sources->apply(flags);
  Experiment experiment = Reader(catalog, *sources, faults).read();
  parse_selection(overrides, faults);
  experiment.warnings = std::move(warnings);
  experiment.sources = sources;
  return experiment;
}

Experiment read_experiment(const Catalog& catalog, const std::filesystem::path& file,
                           const Overrides& overrides) {
  Faults faults;
  Experiment experiment = read_experiment(catalog, file, overrides, faults);
  faults.throw_if_any();
  return experiment;
}

}  // namespace ablate::plan
