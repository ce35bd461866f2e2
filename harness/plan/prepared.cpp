#include "harness/plan/prepared.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/data/prepare.h"
#include "harness/plan/pair.h"

namespace ablate {
namespace {

/// The corpus of the experiment, or nothing where it is refused: by its own section's rules, or
/// because a file that it names cannot be read.
std::filesystem::path corpus_of(const Experiment& experiment, Faults& faults) {
  const auto refuse = [&](const std::exception& error) {
    faults.add(experiment.sources->value_at("/corpus"), join("corpus: ", error.what()));
    return std::filesystem::path();
  };
  try {
    return prepare_corpus(experiment.corpus, experiment.corpus_base, cache_folder());
  } catch (const DamagedFile&) {
    throw;
  } catch (const std::invalid_argument& error) {
    return refuse(error);
  } catch (const std::runtime_error& error) {
    return refuse(error);
  }
}

/// Builds an arm's objective for a vocabulary; one without needs where it is refused.
Objective build(const Catalog& catalog, const Experiment& experiment, const ResolvedArm& arm,
                const Vocabulary& vocabulary, Faults& faults) {
  const ObjectiveSpec& spec = catalog.objective(arm.objective["type"].get<std::string>());
  try {
    const std::int64_t context = params_of(model_section(catalog), arm.model).integer("context");
    return spec.build(params_of(objective_section(catalog), arm.objective), {vocabulary, context});
  } catch (const std::invalid_argument& error) {
    faults.add(place_in_arm(*experiment.sources, arm, "/objective"),
               join("arm '", arm.name, "': ", error.what()));
    return {};
  }
}

}  // namespace

Params params_of(const TaggedSection& section, const Json& resolved) {
  Json rest = resolved;
  rest.erase(std::string(section.tag));
  return {section.rows(resolved[std::string(section.tag)].get<std::string>()), rest};
}

Prepared prepare(const Catalog& catalog, const Experiment& experiment, Faults& faults) {
  Prepared prepared;
  prepared.corpus_file = corpus_of(experiment, faults);
  if (!faults.empty()) return prepared;
  prepared.corpus = Corpus::open(prepared.corpus_file);
  prepared.vocabulary.ordinary = prepared.corpus.ordinary();
  std::int64_t sentinels = 0;
  for (const ResolvedArm& arm : experiment.arms) {
    const Needs needs = build(catalog, experiment, arm, prepared.vocabulary, faults).needs;
    sentinels = std::max(sentinels, needs.sentinels);
    const BackboneSpec& backbone = catalog.backbone(arm.model["backbone"].get<std::string>());
    if (const std::string why = mismatch(needs, backbone.offer); faults.empty() && !why.empty())
      faults.add(
          place_in_arm(*experiment.sources, arm, "/objective"),
          join("arm '", arm.name, "': backbone '", backbone.name, "' cannot host objective '",
               arm.objective["type"].get<std::string>(), "': ", why));
  }
  if (!faults.empty()) return prepared;
  prepared.vocabulary.sentinels = static_cast<Token>(sentinels);
  for (const ResolvedArm& arm : experiment.arms)
    prepared.objectives.push_back(build(catalog, experiment, arm, prepared.vocabulary, faults));
  return prepared;
}

}  // namespace ablate
