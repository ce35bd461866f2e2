// The tables of sections, and how a section with a tag is resolved.

#include "harness/plan/file/sections.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "harness/base/names.h"
#include "harness/contract/metrics/metric.h"
#include "harness/data/prepare.h"
#include "harness/plan/file/declared_trends.h"
#include "harness/plan/rows/on_the_way.h"

namespace ablate::plan {
namespace {

template <class Spec>
std::vector<std::string_view> names_of(std::span<const Spec> specs) {
  std::vector<std::string_view> names;
  for (const Spec& spec : specs) names.push_back(spec.name);
  return names;
}

constexpr double kMaxTrends = 20;

/// The fields of an entry of "trends".
std::vector<Param> trend_fields() {
  return {
      text("along", nullptr, "the swept number: \"objective.rate\""),
      choice("shape", nullptr, {std::begin(kTrendShapes), std::end(kTrendShapes)},
             "linear: whether the metric rises or falls; quadratic: whether it bends"),
      optional(text("of", nullptr,
                    "the entry of \"arms\" that sweeps the number; absent: every entry that does")),
      optional(text("metric", nullptr, "the metric to test; absent: the primary metric"))};
}

}  // namespace

bool TaggedSection::has(std::string_view member) const {
  return std::find(members.begin(), members.end(), member) != members.end();
}

TaggedSection corpus_section() {
  return {.name = "corpus",
          .tag = "kind",
          .noun = "kind of corpus",
          .default_value = "",
          .members = names_of(data::corpus_kinds()),
          .rows = data::corpus_params,
          .summary = [](std::string_view) { return std::string_view(); },
          .description = "the text that every arm trains on"};
}

TaggedSection model_section(const Catalog& catalog) {
  return {.name = "model",
          .tag = "backbone",
          .noun = "backbone",
          .default_value = catalog.backbones.size() == 1 ? catalog.backbones.front().name
                                                         : catalog.default_backbone,
          .members = names_of(catalog.backbones),
          .rows = [&](std::string_view name) { return std::span(catalog.backbone(name).params); },
          .summary = [&](std::string_view name) { return catalog.backbone(name).summary; },
          .description = "the network that every arm trains, unless an arm sets another"};
}

TaggedSection objective_section(const Catalog& catalog) {
  return {.name = "objective",
          .tag = "type",
          .noun = "objective",
          .default_value = "",
          .members = names_of(catalog.objectives),
          .rows = [&](std::string_view name) { return std::span(catalog.objective(name).params); },
          .summary = [&](std::string_view name) { return catalog.objective(name).summary; },
          .description = "what a model reads and must predict: defaults that arms start from"};
}

TaggedSection probe_section(const Catalog& catalog) {
  return {.name = "probes",
          .tag = "type",
          .noun = "probe",
          .default_value = "",
          .members = names_of(catalog.probes),
          .rows = [&](std::string_view name) { return std::span(catalog.probe(name).params); },
          .summary = [&](std::string_view name) { return catalog.probe(name).summary; },
          .description = "what is measured on every trained model",
          .common = {at_param()}};
}

Json resolve(const TaggedSection& section, const Json& given, std::vector<Refusal>& refusals) {
  const std::string tag(section.tag);
  if (!given.is_object()) {
    refusals.push_back(
        {"", fmt::format("expected an object, got {}", canonical(given).substr(0, 60))});
    return Json::object();
  }
  Json rest = given;
  rest.erase(tag);
  Json chosen = given.contains(tag) ? given[tag] : Json(section.default_value);
  if (chosen.is_string() && section.has(chosen.get<std::string>())) {
    const std::span<const Param> own = section.rows(chosen.get<std::string>());
    std::vector<Param> rows(own.begin(), own.end());
    rows.insert(rows.end(), section.common.begin(), section.common.end());
    Json resolved = resolve(rows, rest, refusals);
    resolved[tag] = std::move(chosen);
    return resolved;
  }
  if (!given.contains(tag)) {
    refusals.push_back(
        {"", fmt::format("'{}' is missing; there are: {}", tag, fmt::join(section.members, ", "))});
    return Json::object();
  }
  const std::string name =
      chosen.is_string() ? chosen.get<std::string>() : canonical(chosen).substr(0, 60);
  refusals.push_back({"/" + tag, fmt::format("no {} is named '{}'{} there are: {}", section.noun,
                                             name, did_you_mean(name, section.members),
                                             fmt::join(section.members, ", "))});
  return Json::object();
}

Params params_of(const TaggedSection& section, const Json& resolved) {
  Json rest = resolved;
  rest.erase(std::string(section.tag));
  for (const Param& param : section.common) rest.erase(std::string(param.name));
  return {section.rows(resolved[std::string(section.tag)].get<std::string>()), rest};
}

std::span<const Param> match_params() {
  static const std::vector<Param> rows = {
      list("on", {"parameters", "tokens"},
           {choice("", nullptr,
                   {"parameters", "tokens", "positions", "targets", "flops", "steps", "seconds",
                    "state", "active_parameters"},
                   "")},
           9,
           "counts in which all arms must agree, or the experiment is refused; [] compares "
           "unmatched arms. state: bytes that a model keeps per row at inference; "
           "active_parameters: the parameters used for one position at inference, fewer than all "
           "in a model with experts"),
      number("tolerance", 0.02, 0, 1,
             "maximum difference between arms, as a fraction of the largest count"),
  };
  return rows;
}

std::span<const Param> analysis_params() {
  static const std::vector<Param> rows = {
      optional(text("primary", nullptr, "the metric that decides the question")),
      number("alpha", 0.05, 1e-6, 0.5,
             "significance level: the accepted probability of a false finding in the family of "
             "comparisons"),
      choice("correction", "holm", {"holm", "none"},
             "correction of p for several comparisons with the baseline"),
      optional(number("smallest_effect", nullptr, 0, 1e12,
                      "smallest difference that matters, in units of the primary metric; if given, "
                      "an arm can be found equivalent to the baseline")),
      optional(list("trends", nullptr, trend_fields(), kMaxTrends,
                    "trend contrasts along swept numbers; each is one test of the family that "
                    "`correction` adjusts")),
  };
  return rows;
}

std::span<const Param> tuning_params() {
  static const std::vector<Param> rows = {
      integer("seeds", 2, 1, 100,
              "number of seeds with which every arm tries every learning rate; none of them is a "
              "seed of the result"),
      integer("extension", 1, 0, 8,
              "how many learning rates to add for all arms beyond an edge where an arm does best; "
              "at most twice; 0: none"),
      text("criterion", metric_names::kHeldOutLoss,
           "the metric, measured on a development part, that chooses an arm's learning rate; the "
           "default is the arm's own loss"),
      number("development", 0.05, 1e-4, 0.5,
             "fraction of the training documents that tuning trials do not train on; the built-in "
             "language draws as many new tokens as it holds out"),
  };
  return rows;
}

std::span<const Param> limits_params() {
  static const std::vector<Param> rows = {
      integer("trials", 1000, 1, kMaxTrials,
              "maximum number of trials: guards against an accidental sweep"),
  };
  return rows;
}

std::span<const Param> launcher_params() {
  static const std::vector<Param> rows = {section(
      "slurm",
      {text("partition", "", "the partition of the jobs; empty, here and below: Slurm's default"),
       text("account", "", "the account that the jobs are charged to"),
       text("qos", "", "quality of service of the jobs"),
       text("constraint", "",
            "features that a node must have, for example to use only one kind of processor"),
       text("exclude", "", "nodes that the jobs must not run on"),
       integer(
           "minutes", 0, 0, 43200,
           "time limit of a job, in minutes; shortly before it, the job stops with a checkpoint "
           "and queues itself again; 0: one and a half times its estimate, at least ten"),
       integer("memory", 0, -1, 10'000'000,
               "megabytes to ask for per job; 0: what the plan estimates; -1: ask for none, for "
               "sites that do not count memory"),
       integer("parallel", 0, 0, 100'000, "maximum number of jobs at one time; 0: no limit"),
       integer(
           "follow_ups", 0, 0, 20,
           "arrays that wait for each array and run its shards again if one of its jobs did not "
           "end well, for example at its time limit; for sites whose nodes have no scontrol, "
           "by which a job otherwise queues itself again"),
       list("extra", Json::array(), {text("", nullptr, "an option of sbatch")}, 20,
            "further options of sbatch, such as \"--gres=gpu:a100:1\"")},
      "how `ablate run --launcher slurm` submits an experiment; none of it changes a result")};
  return rows;
}

bool is_name(std::string_view text) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const auto later = [&](char c) { return plain(c) || c == '.' || c == '_' || c == '-'; };
  return !text.empty() && text.size() <= 64 && plain(text.front()) &&
         std::all_of(text.begin(), text.end(), later);
}

std::string name_rule(std::string_view given) {
  constexpr std::string_view kRule =
      "a name is 1 to 64 small letters, digits, '.', '_' and '-', and starts with a letter or "
      "digit";
  std::string like;
  for (const char c : given.substr(0, 64)) {
    like += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (!is_name("a" + like.substr(like.size() - 1))) like.back() = '_';
    if (like == "." || like == "_" || like == "-") like.clear();
  }
  return is_name(like) ? fmt::format("{}, such as \"{}\"", kRule, like) : std::string(kRule);
}

}  // namespace ablate::plan
