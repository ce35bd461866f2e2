// Makes corpora, builds objectives and finds starting weights for every arm.

#include "harness/plan/prepare/prepared.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/data/prepare.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "harness/plan/prepare/phase_corpora.h"
#include "harness/plan/resolve/pair.h"
#include "harness/plan/trial/start.h"

namespace ablate::plan {
namespace {

/// Does `work`. If it refuses something or cannot read a file that the experiment names, that is a
/// fault of the section at `pointer`.
template <class Work>
void guarded(const Experiment& experiment, const std::string& pointer, Faults& faults, Work work) {
  const auto refuse = [&](const std::exception& error) {
    const std::string section = pointer.substr(1), what = error.what();
    faults.add(experiment.sources->value_at(pointer),
               what.starts_with(section) ? what : fmt::format("{}: {}", section, what));
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

/// The probes, with everything prepared that a worker cannot prepare.
Json prepare_probes(const Catalog& catalog, const Experiment& experiment,
                    const std::filesystem::path& corpus, Faults& faults) {
  Json probes = experiment.probes;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const Json type = probes[i]["type"];
    const ProbeSpec& spec = catalog.probe(type.get<std::string>());
    if (spec.prepare == nullptr) continue;
    guarded(experiment, fmt::format("/probes/{}", i), faults, [&] {
      const Preparation preparation{
          .section = experiment.corpus,
          .folder_of =
              [&](const std::string& setting) {
                return experiment.sources->folder_of(fmt::format("/probes/{}/{}", i, setting));
              },
          .cache = corpus.parent_path(),
          .corpus = corpus,
          .tokenizer = [&]() -> std::shared_ptr<const data::Tokenizer> {
            return data::tokenizer_of(data::Corpus::open(corpus).about(), data::cache_folder());
          }};
      probes[i] = spec.prepare(params_of(probe_section(catalog), probes[i]), preparation);
      probes[i]["type"] = type;
    });
  }
  return probes;
}

/// The arm's own objective, by which it is measured.
Phase own_phase(const ResolvedArm& arm) {
  return plan::own_phase(arm.train, arm.objective, arm.model.at("context"), "main");
}

/// An objective that an arm is measured by, or that a phase of it trains.
struct Asked {
  const ResolvedArm& arm;
  Phase phase;
  std::string pointer;  // below the arm's sections
  std::string who;      // the arm and phase, for messages
};

/// The arm's own objective, then those of the phases that it names.
std::vector<Asked> asked_by(const ResolvedArm& arm) {
  std::vector<Asked> all = {{arm, own_phase(arm), "/objective", fmt::format("arm '{}'", arm.name)}};
  for (const Phase& phase : phases_of(arm))
    if (!phase.name.empty())
      all.push_back({arm, phase, fmt::format("/train/phases/{}/objective", all.size() - 1),
                     fmt::format("{}, phase '{}'", all[0].who, phase.name)});
  return all;
}

/// The objective for this vocabulary; an empty one after adding a fault if it is refused.
Objective build(const Catalog& catalog, const Experiment& experiment, const Asked& asked,
                const Vocabulary& vocabulary, Faults& faults) {
  const ObjectiveSpec& spec = catalog.objective(asked.phase.objective["type"].get<std::string>());
  try {
    return spec.build(params_of(objective_section(catalog), asked.phase.objective),
                      {vocabulary, asked.phase.context});
  } catch (const std::invalid_argument& error) {
    faults.add(place_in_arm(*experiment.sources, asked.arm, asked.pointer),
               fmt::format("{}: {}", asked.who, error.what()));
    return {};
  }
}

/// Why the arm's backbone cannot host an objective with these needs; empty if it can.
std::string refusal(const Catalog& catalog, const ResolvedArm& arm, const BackboneSpec& backbone,
                    const Needs& needs) {
  std::string why = mismatch(needs, backbone.offer);
  if (why.empty() && backbone.cannot_host != nullptr)
    why = backbone.cannot_host(params_of(model_section(catalog), arm.model), needs);
  return why;
}

/// Builds the objectives of an arm and refuses those that its backbone cannot host, or that cannot
/// be trained with one network. Returns the maximum number of sentinels that they need.
std::int64_t check_hosting(const Catalog& catalog, const Experiment& experiment,
                           const ResolvedArm& arm, const Vocabulary& vocabulary, Faults& faults) {
  const BackboneSpec& backbone = catalog.backbone(arm.model["backbone"].get<std::string>());
  std::int64_t sentinels = 0;
  Json own;
  for (const Asked& asked : asked_by(arm)) {
    const Needs needs = build(catalog, experiment, asked, vocabulary, faults).needs;
    sentinels = std::max(sentinels, needs.sentinels);
    if (!faults.empty()) continue;
    const auto refuse = [&](const std::string& why) {
      faults.add(place_in_arm(*experiment.sources, arm, asked.pointer), why);
    };
    const std::string type = asked.phase.objective["type"];
    if (const std::string why = refusal(catalog, arm, backbone, needs); !why.empty())
      refuse(fmt::format("{}: backbone '{}' cannot host objective '{}': {}", asked.who,
                         backbone.name, type, why));
    const Json built = built_for(needs);
    if (own.is_null()) own = built;
    if (built != own)
      refuse(
          fmt::format("{}: objective '{}' asks for other heads than '{}', the arm's own; all "
                      "phases of an arm train one network: choose objectives with the same heads",
                      asked.who, type, arm.objective["type"].get<std::string>()));
  }
  return sentinels;
}

/// The weights that an arm starts from; empty if it starts from initial weights.
Start start_of(const Catalog& catalog, const Experiment& experiment, const ResolvedArm& arm,
               const Vocabulary& vocabulary, Faults& faults) {
  if (!arm.train.contains("start")) return {};
  const BackboneSpec& backbone = catalog.backbone(arm.model["backbone"].get<std::string>());
  const Json model = {
      {"model", arm.model},
      {"vocabulary", {{"ordinary", vocabulary.ordinary}, {"sentinels", vocabulary.sentinels}}},
      {"semantics", {{"backbone", backbone.version}}}};
  try {
    return prepare_start(arm.train["start"], model, data::cache_folder());
  } catch (const DamagedFile&) {
    throw;
  } catch (const std::exception& error) {  // files that cannot be read among them
    faults.add(place_in_arm(*experiment.sources, arm, "/train/start"),
               fmt::format("arm '{}': train.start: {}", arm.name, error.what()));
    return {};
  }
}

}  // namespace

std::vector<Phase> phases_of(const ResolvedArm& arm) {
  return phases_of(arm.train, arm.objective, arm.model.at("context"), "main");
}

Prepared prepare(const Catalog& catalog, const Experiment& experiment, Faults& faults) {
  Prepared prepared;
  guarded(experiment, "/corpus", faults, [&] {
    prepared.corpus_file = data::prepare_corpus(
        experiment.sources->with_places(experiment.corpus, "/corpus"), {}, data::cache_folder());
  });
  if (!faults.empty()) return prepared;
  prepared.probes = prepare_probes(catalog, experiment, prepared.corpus_file, faults);
  prepared.corpus = data::Corpus::open(prepared.corpus_file);
  prepared.vocabulary.ordinary = prepared.corpus.ordinary();
  std::int64_t sentinels = 0;
  for (const ResolvedArm& arm : experiment.arms)
    sentinels =
        std::max(sentinels, check_hosting(catalog, experiment, arm, prepared.vocabulary, faults));
  if (!faults.empty()) return prepared;
  prepared.vocabulary.sentinels = static_cast<Token>(sentinels);
  PhaseCorpora corpora(experiment, prepared.corpus, faults);
  for (const ResolvedArm& arm : experiment.arms) {
    const ResolvedModel model = resolve_model(catalog, arm.model, prepared.vocabulary);
    std::vector<ResolvedPhase> resolved;  // the arm's own, then the phases that it names
    for (const Asked& asked : asked_by(arm)) {
      try {
        resolved.push_back(resolve_phase(catalog, model, asked.phase));
      } catch (const std::invalid_argument& error) {  // refused for the sentinels that are reserved
        faults.add(place_in_arm(*experiment.sources, arm, asked.pointer),
                   fmt::format("{}: {}", asked.who, error.what()));
        return prepared;
      }
    }
    prepared.models.push_back(model);
    prepared.own.push_back(resolved.front());
    // Behind the arm's own, if it has phases.
    const std::size_t first = resolved.size() > 1 ? 1 : 0;
    auto& phases = prepared.phases.emplace_back();
    for (const Phase& phase : phases_of(arm)) {
      const std::size_t number = phases.size();
      phases.push_back({std::move(resolved[first + number]), corpora.members(arm, phase, number)});
    }
    prepared.starts.push_back(start_of(catalog, experiment, arm, prepared.vocabulary, faults));
  }
  return prepared;
}

}  // namespace ablate::plan
