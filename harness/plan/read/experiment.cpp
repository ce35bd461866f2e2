// Reads an experiment file: checks keys, values and names, and fills in defaults.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/base/names.h"
#include "harness/plan/read/arms.h"

namespace ablate::plan {
namespace {

constexpr std::string_view kKeys[] = {
    "$schema", "name",     "question", "extends", "corpus", "model",  "train",    "objective",
    "arms",    "baseline", "seeds",    "match",   "tuning", "probes", "analysis", "limits"};

class Reader {
 public:
  Reader(const Catalog& catalog, const Sources& sources, Faults& faults)
      : catalog_(catalog), sources_(sources), file_(sources.merged()), faults_(faults) {}

  Experiment read() {
    Experiment experiment;
    check_keys();
    read_name(experiment);
    experiment.corpus = section(corpus_section());
    experiment.corpus_kind = experiment.corpus.value("kind", "");
    experiment.seeds = read_seeds();
    experiment.match = read_match();
    experiment.analysis = read_analysis();
    experiment.limits = section("limits", limits_params());
    if (file_.contains("tuning") && file_["tuning"] != Json::object())
      refuse("/tuning", "tuning is not supported yet: only {} is accepted",
             "every arm is trained with the settings of \"train\"");
    experiment.probes = read_probes();
    const std::int64_t maximum = experiment.limits.value("trials", std::int64_t{1});
    experiment.arms = read_arms(catalog_, sources_, experiment.seeds.size(), maximum, faults_);
    read_baseline(experiment);
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

  void read_name(Experiment& experiment) {
    if (!file_.contains("name"))
      refuse("", "an experiment needs a \"name\"", fmt::format("names match {}", kNamePattern));
    else if (!file_["name"].is_string() || !is_name(file_["name"].get_ref<const std::string&>()))
      refuse(
          "/name",
          fmt::format("{} is not a name of an experiment", canonical(file_["name"]).substr(0, 80)),
          fmt::format("names match {}", kNamePattern));
    else
      experiment.name = file_["name"];
    if (file_.contains("question") && !file_["question"].is_string())
      refuse("/question", "a question must be a string");
    else
      experiment.question = file_.value("question", "");
  }

  Json report(const std::string& name, Json resolved, const std::vector<Refusal>& refusals) {
    for (const Refusal& refusal : refusals) {
      if (faults_.full()) break;
      auto [message, hint] = split_message(refusal.message);
      const std::string pointer = "/" + name + refusal.pointer;
      faults_.add(refusal.about_key ? sources_.key_at(pointer) : sources_.value_at(pointer),
                  name + ": " + message, hint);
    }
    return resolved;
  }

  Json section(const TaggedSection& tagged) {
    const std::string name(tagged.name);
    std::vector<Refusal> refusals;
    Json resolved = resolve(tagged, file_.value(name, Json::object()), refusals);
    return report(name, std::move(resolved), refusals);
  }

  Json section(const std::string& name, std::span<const Param> rows) {
    std::vector<Refusal> refusals;
    Json resolved = resolve(rows, file_.value(name, Json::object()), refusals);
    return report(name, std::move(resolved), refusals);
  }

  /// A refused section keeps what was given, so it is read only if nothing was refused.
  Match read_match() {
    Match match{.section = section("match", match_params())};
    if (!faults_.empty()) return match;
    match.counts = match.section.at("on").get<std::vector<std::string>>();
    match.tolerance = match.section.at("tolerance");
    return match;
  }

  Comparison read_analysis() {
    Comparison analysis{.section = section("analysis", analysis_params())};
    if (!faults_.empty()) return analysis;
    analysis.primary = analysis.section.value("primary", "");
    analysis.alpha = analysis.section.at("alpha");
    if (analysis.section.at("correction") == "none")
      analysis.correction = statistics::Correction::none;
    return analysis;
  }

  std::vector<std::int64_t> read_seeds() {
    const Json given = file_.value("seeds", Json(1));
    std::vector<std::int64_t> seeds;
    if (is_whole(given, 1, kMaxSeeds)) {
      for (std::int64_t seed = 1; seed <= given.get<std::int64_t>(); ++seed) seeds.push_back(seed);
      return seeds;
    }
    if (!given.is_array() || given.empty() || given.size() > kMaxSeeds) {
      refuse("/seeds", fmt::format("{} are not seeds", canonical(given).substr(0, 60)),
             fmt::format("give how many (1 to {}, which means 1 ... n), or a list of them",
                         kMaxSeeds));
      return {1};
    }
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < given.size() && !faults_.full(); ++i) {
      if (!is_whole(given[i], 0, kLargestSeed))
        refuse(fmt::format("/seeds/{}", i),
               fmt::format("{} is not a seed", canonical(given[i]).substr(0, 60)),
               "a seed is a whole number from 0 to 2^53");
      else if (!seen.insert(given[i].get<std::int64_t>()).second)
        refuse(fmt::format("/seeds/{}", i),
               fmt::format("seed {} is given twice", given[i].get<std::int64_t>()));
      else
        seeds.push_back(given[i].get<std::int64_t>());
    }
    return seeds.empty() ? std::vector<std::int64_t>{1} : seeds;
  }

  static bool is_whole(const Json& value, double minimum, double maximum) {
    if (!value.is_number()) return false;
    const double number = value.get<double>();
    return number >= minimum && number <= maximum &&
           number == static_cast<double>(static_cast<std::int64_t>(number));
  }

  std::vector<PlannedProbe> read_probes() {
    const TaggedSection tagged = probe_section(catalog_);
    std::vector<PlannedProbe> probes;
    const Json given = file_.value("probes", Json::array());
    if (!given.is_array())
      return refuse("/probes", "probes must be a list of names or objects with a \"type\""), probes;
    std::set<std::string_view> types;
    for (std::size_t i = 0; i < given.size() && !faults_.full(); ++i) {
      const Json probe = given[i].is_string() ? Json{{"type", given[i]}} : given[i];
      std::vector<Refusal> refusals;
      Json resolved = resolve(tagged, probe, refusals);
      const bool good = refusals.empty();
      report(fmt::format("probes/{}", i), nullptr, refusals);
      if (!good) continue;
      const ProbeSpec& spec = catalog_.probe(resolved.at("type").get<std::string>());
      if (!types.insert(spec.name).second)
        refuse(fmt::format("/probes/{}", i), fmt::format("probe '{}' is listed twice", spec.name),
               "a probe's metrics are named after it: list it once");
      probes.push_back({&spec, params_of(tagged, resolved), std::move(resolved)});
    }
    return probes;
  }

  void read_baseline(Experiment& experiment) {
    if (!faults_.empty() && experiment.arms.empty()) return;  // the names of the arms are not known
    const bool several = experiment.arms.size() > 1;
    if (several && !experiment.analysis.section.contains("primary"))
      refuse("/analysis", "\"analysis\" names no primary metric",
             "several arms are compared by one metric, chosen before the run: \"primary\": "
             "\"held_out.excess\"");
    if (!file_.contains("baseline")) {
      if (several)
        refuse("", "an experiment with several arms needs a \"baseline\"",
               fmt::format("name one of its arms, such as \"baseline\": \"{}\"",
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
    if (std::find(names.begin(), names.end(), wanted) != names.end() || !faults_.empty()) return;
    const std::string_view near = closest_match(wanted, names);
    if (names.size() > 12) names.resize(12);
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
                           const Overrides& overrides) {
  Faults faults;
  const auto sources = std::make_shared<Sources>(file, faults);
  faults.throw_if_any();
  const std::vector<Assignment> flags = parse_set(overrides.set, faults);
  std::vector<std::string> warnings = check_set(flags, sources->merged(), faults);
  faults.throw_if_any();
  sources->apply(flags);
  Experiment experiment = Reader(catalog, *sources, faults).read();
  parse_only(overrides.only, faults);
  faults.throw_if_any();
  experiment.warnings = std::move(warnings);
  experiment.sources = sources;
  return experiment;
}

Json resolved_json(const Experiment& experiment) {
  Json arms = Json::array();
  for (const ResolvedArm& arm : experiment.arms)
    arms.push_back({{"name", arm.name},
                    {"model", arm.model},
                    {"objective", arm.objective},
                    {"train", arm.train}});
  Json probes = Json::array();
  for (const PlannedProbe& probe : experiment.probes) probes.push_back(probe.section);
  return {{"name", experiment.name},
          {"question", experiment.question},
          {"corpus", experiment.corpus},
          {"arms", std::move(arms)},
          {"baseline", experiment.arms[experiment.baseline].name},
          {"seeds", experiment.seeds},
          {"match", experiment.match.section},
          {"probes", std::move(probes)},
          {"analysis", experiment.analysis.section},
          {"limits", experiment.limits}};
}

}  // namespace ablate::plan
