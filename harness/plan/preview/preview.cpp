// Makes the examples of a preview as a trial would make them.

#include "harness/plan/preview/preview.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "harness/plan/file/sources.h"
#include "harness/plan/preview/preview_texts.h"
#include "harness/plan/price/price.h"
#include "harness/plan/read/arms.h"

namespace ablate::plan {
namespace {

constexpr std::int64_t kMaxExamples = 100'000;

bool is_of_arm(const Assignment& flag) {
  const std::string section = flag.path.substr(0, flag.path.find('.'));
  return section == "model" || section == "train" || section == "objective";
}

/// The flags of a request: those of its arm, and those of the file.
struct Flags {
  std::vector<Assignment> of_arm;
  Overrides of_file;
};

/// `wanted`: the name of the arm; empty: of none. `is_new`: whether the request adds it.
Flags flags_of(const PreviewRequest& request, const std::string& wanted, bool is_new) {
  Faults faults;
  Flags flags;
  for (const std::string& text : request.set) {
    const std::vector<Assignment> flag = parse_set({text}, faults);
    if (flag.size() == 1 && is_of_arm(flag.front()))
      flags.of_arm.push_back(flag.front());
    else
      flags.of_file.set.push_back(text);
  }
  faults.throw_if_any();
  if (is_new) flags.of_file.arms = {request.arm};
  // A file of one arm names no baseline; with the new one it would need one, though none is compared.
  if (is_new && !Sources(request.file, faults).merged().contains("baseline"))
    flags.of_file.set.push_back("baseline=" + Json(wanted).dump());
  faults.throw_if_any();
  return flags;
}

/// The experiment with the flags of the request: those for sections of an arm change this arm, all
/// others change the file. Sets `index` to that of the arm.
Experiment read_with_flags(const Catalog& catalog, const PreviewRequest& request,
                           std::size_t& index) {
  const std::string wanted = request.arm.substr(0, request.arm.find_first_of(":["));
  const bool is_new = request.arm.substr(wanted.size()).starts_with(':');
  const Flags flags = flags_of(request, wanted, is_new);
  Experiment experiment = read_experiment(catalog, request.file, flags.of_file);
  std::vector<std::string_view> names;
  for (const ResolvedArm& arm : experiment.arms) names.push_back(arm.name);
  const auto found =
      std::find(names.begin(), names.end(), is_new ? wanted : canonical_name(request.arm));
  if (found == names.end()) {
    reject("--arm {}: no arm has this name; {}the arms are: {}", request.arm,
           the_closest(request.arm, names),
           fmt::format("{}", fmt::join(names, ", ")).substr(0, 2000));
  }
  index = static_cast<std::size_t>(found - names.begin());
  ResolvedArm& arm = experiment.arms[index];
  arm.assignments.insert(arm.assignments.end(), flags.of_arm.begin(), flags.of_arm.end());
  Faults faults;
  resolve_arm(catalog, *experiment.sources, arm, faults);
  faults.throw_if_any();
  return experiment;
}

/// The example alone, in a row of its length.
data::Batch laid_out(const Text& text, const Example& example, const Needs& needs,
                     data::Packing packing) {
  const std::int64_t inputs = std::ssize(example.inputs), targets = std::ssize(example.targets);
  RowShape shape{needs.alignment == Alignment::in_place ? inputs : inputs + targets, 0};
  if (needs.separate_inputs) shape = {targets, std::max<std::int64_t>(1, inputs)};
  shape.time = std::max<std::int64_t>(1, shape.time);  // a text of one token may have no target
  const data::PlacedExample placed[] = {{text, example}};
  return data::lay_out(placed, needs, packing, 1, shape);
}

Json attention_json(const data::Batch& batch) {
  Json attention = {
      {"tokens", batch.tokens}, {"from", batch.visible_from}, {"until", batch.visible_until}};
  if (!batch.also_from.empty()) {
    attention["also_from"] = batch.also_from;
    attention["also_until"] = batch.also_until;
  }
  if (batch.source.time > 0)
    attention["source"] = {{"tokens", batch.source.tokens},
                           {"from", batch.source_from},
                           {"until", batch.source_until}};
  return attention;
}

Json labels_json(const Example& example) {
  Json labels = Json::array();
  for (const Label& label : example.labels) {
    labels.push_back({{"head", label.head}, {"at", label.at}, {"weight", label.weight}});
    if (label.partner < 0)
      labels.back()["target"] = label.target;
    else
      labels.back()["partner"] = label.partner;
  }
  return labels;
}

Json intended_json(const Preview& preview) {
  Json rows = Json::array();
  for (const Intended& intended : preview.intended) {
    const std::optional<double> did = realised(preview, intended);
    rows.push_back({{"name", intended.name},
                    {"intended", intended.value},
                    {"tolerance", intended.tolerance},
                    {"realised", did ? Json(*did) : Json()}});
  }
  return rows;
}

}  // namespace

PreviewedFile previewed_file(const Catalog& catalog, const PreviewRequest& request) {
  const Experiment experiment =
      read_experiment(catalog, request.file, flags_of(request, "", false).of_file);
  PreviewedFile file{experiment.name, experiment.question, {}};
  for (const ResolvedArm& arm : experiment.arms) file.arms.push_back(arm.name);
  return file;
}

Preview preview(const Catalog& catalog, const PreviewRequest& request) {
  if (request.count && (*request.count < 1 || *request.count > kMaxExamples))
    reject("--count {}: is outside [1, {}]", *request.count, kMaxExamples);
  if (request.seed && (*request.seed < 0 || *request.seed > kLargestSeed))
    reject("--seed {}: is not a seed; give a whole number from 0 to 2^53", *request.seed);
  std::size_t index = 0;
  const Experiment experiment = read_with_flags(catalog, request, index);
  Faults faults;
  const Prepared prepared = prepare(catalog, experiment, faults);
  faults.throw_if_any();
  const ResolvedArm& arm = experiment.arms[index];
  const ResolvedPhase& phase = prepared.own[index];
  const Objective& own = phase.objective;
  const PreviewTexts texts =
      preview_texts(request, prepared, own.needs, phase.packing, phase.context);

  std::map<std::int64_t, Objective> rebuilt = {{phase.context, own}};  // by length of text
  Preview made{.arm = arm.name,
               .label = arm.label.empty() ? arm.name : arm.label,
               .objective = phase.spec,
               .seed = request.seed.value_or(experiment.seeds.front()),
               .alignment = own.needs.alignment,
               .intended = own.intended,
               .corpus = prepared.corpus,
               .vocabulary = prepared.vocabulary,
               .warnings = texts.warnings};
  const auto seed = static_cast<std::uint64_t>(made.seed);
  const std::int64_t all = request.documents.empty() ? 1 : std::ssize(texts.texts);
  for (std::int64_t i = 0; i < request.count.value_or(all); ++i) {
    const auto which = static_cast<std::size_t>(i) % texts.texts.size();
    Text text = texts.texts[which];
    text.index = i;
    text.own = Rng(seed, Stream::texts, which);
    const std::uint64_t epoch = static_cast<std::uint64_t>(i) / texts.texts.size();
    text.shared =
        Rng(seed, Stream::documents, epoch + 1).fork(static_cast<std::uint64_t>(text.document));
    const std::int64_t length = std::max<std::int64_t>(phase.context, std::ssize(text.tokens));
    auto objective = rebuilt.find(length);
    if (objective == rebuilt.end())
      objective = rebuilt
                      .emplace(length, hosted_objective(*phase.spec, phase.params,
                                                        prepared.models[index], length))
                      .first;
    const Rng rng(seed, Stream::corruption, 0, static_cast<std::uint64_t>(i));
    for (Example& example : objective->second.transform(text, rng.fork(std::uint64_t{0}))) {
      data::settle(example, own.needs);
      made.realised.add(text, example);
      data::Batch batch = laid_out(text, example, own.needs, phase.packing);
      made.examples.push_back(
          {{text.tokens.begin(), text.tokens.end()}, std::move(example), std::move(batch), which});
    }
  }
  return made;
}

std::optional<double> realised(const Preview& preview, const Intended& intended) {
  const Ratio* const rate = preview.realised.find(intended.name);
  return rate == nullptr ? std::nullopt : std::optional(rate->value());
}

Json to_json(const Preview& preview) {
  Json examples = Json::array();
  for (const auto& [text, example, batch, source] : preview.examples) {
    std::vector<std::int32_t> hidden;
    for (const Hidden& each : example.hidden) hidden.push_back(each.position);
    std::sort(hidden.begin(), hidden.end());
    Json facts = Json::object();
    for (const Fact& fact : example.facts) facts[std::string(fact.name)] = fact.value;
    examples.push_back({{"text", text},
                        {"inputs", example.inputs},
                        {"targets", example.targets},
                        {"weights", example.weights},
                        {"hidden", std::move(hidden)},
                        {"labels", labels_json(example)},
                        {"facts", std::move(facts)},
                        {"attention", attention_json(batch)}});
    if (!example.shown.empty()) examples.back()["shown"] = example.shown;
    if (!example.positions.empty()) examples.back()["positions"] = example.positions;
    if (!example.inner.empty()) examples.back()["inner"] = example.inner;
  }
  return {{"arm", preview.arm},
          {"examples", std::move(examples)},
          {"realised", preview.realised.json()},
          {"intended", intended_json(preview)}};
}

}  // namespace ablate::plan
