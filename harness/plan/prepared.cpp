#include "harness/plan/prepared.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/data/prepare.h"
#include "harness/data/tokenizer.h"
#include "harness/plan/pair.h"

namespace ablate {
namespace {

/// Does `work`; what it refuses, or cannot read of the files that the experiment names, is a fault
/// of the section at `pointer`.
template <class Work>
void guarded(const Experiment& experiment, const std::string& pointer, Faults& faults, Work work) {
  const auto refuse = [&](const std::exception& error) {
    const std::string section = pointer.substr(1), what = error.what();
    faults.add(experiment.sources->value_at(pointer),
               what.starts_with(section) ? what : join(section, ": ", what));
  };
  try {
    work();
  } catch (const DamagedFile&) {
    throw;
  } catch (const std::invalid_argument& error) {
    refuse(error);
  } catch (const std::runtime_error& error) {
    refuse(error);
  }
}

/// The probes, with what has to be made for them before there is a worker.
Json prepare_probes(const Catalog& catalog, const Experiment& experiment,
                    const std::filesystem::path& corpus, Faults& faults) {
  Json probes = experiment.probes;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const Json type = probes[i]["type"];
    const ProbeSpec& spec = catalog.probe(type.get<std::string>());
    if (spec.prepare == nullptr) continue;
    guarded(experiment, join("/probes/", i), faults, [&] {
      const Preparation preparation{
          .section = experiment.corpus,
          .folder_of =
              [&](const std::string& setting) {
                return experiment.sources->folder_of(join("/probes/", i, "/", setting));
              },
          .cache = corpus.parent_path(),
          .corpus = corpus,
          .tokenizer = [&]() -> std::shared_ptr<const Tokenizer> {
            return tokenizer_of(Corpus::open(corpus).about(), cache_folder());
          }};
      probes[i] = spec.prepare(params_of(probe_section(catalog), probes[i]), preparation);
      probes[i]["type"] = type;
    });
  }
  return probes;
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

/// Why the arm's backbone cannot host its objective; empty where it can.
std::string refusal(const Catalog& catalog, const ResolvedArm& arm, const BackboneSpec& backbone,
                    const Needs& needs) {
  std::string why = mismatch(needs, backbone.offer);
  if (why.empty() && backbone.cannot_host != nullptr)
    why = backbone.cannot_host(params_of(model_section(catalog), arm.model), needs);
  return why;
}

}  // namespace

Params params_of(const TaggedSection& section, const Json& resolved) {
  Json rest = resolved;
  rest.erase(std::string(section.tag));
  return {section.rows(resolved[std::string(section.tag)].get<std::string>()), rest};
}

Prepared prepare(const Catalog& catalog, const Experiment& experiment, Faults& faults) {
  Prepared prepared;
  guarded(experiment, "/corpus", faults, [&] {
    prepared.corpus_file = prepare_corpus(
        experiment.sources->with_places(experiment.corpus, "/corpus"), {}, cache_folder());
  });
  if (!faults.empty()) return prepared;
  prepared.probes = prepare_probes(catalog, experiment, prepared.corpus_file, faults);
  prepared.corpus = Corpus::open(prepared.corpus_file);
  prepared.vocabulary.ordinary = prepared.corpus.ordinary();
  std::int64_t sentinels = 0;
  for (const ResolvedArm& arm : experiment.arms) {
    const Needs needs = build(catalog, experiment, arm, prepared.vocabulary, faults).needs;
    sentinels = std::max(sentinels, needs.sentinels);
    const BackboneSpec& backbone = catalog.backbone(arm.model["backbone"].get<std::string>());
    if (const std::string why = refusal(catalog, arm, backbone, needs);
        faults.empty() && !why.empty())
      faults.add(
          place_in_arm(*experiment.sources, arm, "/objective"),
          join("arm '", arm.name, "': backbone '", backbone.name, "' cannot host objective '",
               arm.objective["type"].get<std::string>(), "': ", why));
  }
  if (!faults.empty()) return prepared;
  prepared.vocabulary.sentinels = static_cast<Token>(sentinels);
  for (const ResolvedArm& arm : experiment.arms) {
    Objective objective = build(catalog, experiment, arm, prepared.vocabulary, faults);
    const BackboneSpec& backbone = catalog.backbone(arm.model["backbone"].get<std::string>());
    objective.needs = hosted(std::move(objective.needs), backbone.offer);
    prepared.objectives.push_back(std::move(objective));
  }
  return prepared;
}

}  // namespace ablate
