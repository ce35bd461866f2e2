// Makes corpora, builds objectives and finds starting weights for every arm.

#include "harness/plan/prepare/prepared.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "harness/base/error.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/data/development.h"
#include "harness/data/prepare.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "harness/plan/prepare/phase_corpora.h"
#include "harness/plan/resolve/built_objective.h"
#include "harness/plan/resolve/pair.h"
#include "harness/plan/trial/start.h"

namespace ablate::plan {
namespace {

/// The part of the corpus that a message is about: the path that it quotes, else all of it.
Place place_in_corpus(const Experiment& experiment, const std::string& message) {
  const Json corpus = experiment.sources->with_places(experiment.corpus, "/corpus");
  for (const char* list : {"/paths", "/held_out/paths"}) {
    const Json* const paths = find_pointer(corpus, list);
    for (std::size_t i = 0; paths != nullptr && i < paths->size(); ++i)
      if (message.find(fmt::format("'{}'", (*paths)[i].get<std::string>())) != message.npos)
        return experiment.sources->value_at(fmt::format("/corpus{}/{}", list, i));
  }
  return experiment.sources->value_at("/corpus");
}

/// Does `work`. If it refuses something or cannot read a file that the experiment names, that is a
/// fault of the section at `pointer`, which messages call `section`.
template <class Work>
void guarded(const Experiment& experiment, const std::string& pointer, const std::string& section,
             Faults& faults, Work work) {
  const auto refuse = [&](const std::exception& error) {
    const std::string what = error.what();
    faults.add(section == "corpus" ? place_in_corpus(experiment, what)
                                   : experiment.sources->value_at(pointer),
               what.starts_with(section) ? what : fmt::format("{}: {}", section, what));
  };
  try {
    work();
  } catch (const DamagedFile&) {
    throw;
  } catch (const std::invalid_argument& error) {
    refuse(error);
  } catch (const std::runtime_error& error) {
    if (is_disk_fault(error)) throw;  // not the file's that the experiment names
    refuse(error);
  }
}

/// Adds the probes, with everything prepared that a worker cannot prepare.
void prepare_probes(const Experiment& experiment, Faults& faults, Prepared& prepared) {
  const std::filesystem::path& corpus = prepared.corpus_file;
  prepared.probes = experiment.probes;
  for (PlannedProbe& probe : prepared.probes) {
    if (probe.spec->prepare == nullptr) continue;
    const std::string name = "probes." + probe_name(probe.section);
    const auto adds_to = [&name](std::vector<std::string>& sentences) {
      return
          [&](const std::string& what) { sentences.push_back(fmt::format("{}: {}", name, what)); };
    };
    guarded(experiment, probe.entry, name, faults, [&] {
      const Preparation preparation{
          .section = experiment.corpus,
          .folder_of =
              [&](const std::string& setting) {
                return experiment.sources->folder_of(probe.entry + "/" + setting);
              },
          .cache = corpus.parent_path(),
          .corpus = corpus,
          .tokenizer = [&]() -> std::shared_ptr<const data::Tokenizer> {
            return data::tokenizer_of(data::Corpus::open(corpus).about(), data::cache_folder());
          },
          .note = adds_to(prepared.probe_notes),
          .warn = adds_to(prepared.warnings)};
      probe.section = probe.spec->prepare(probe.params, preparation);
      probe.section["type"] = probe.spec->name;
    });
  }
}

/// The arm's own objective, by which it is measured.
Phase own_phase(const ResolvedArm& arm) {
  return plan::own_phase(arm.train, arm.objective, arm.context(), "main");
}

/// An objective that an arm is measured by, or that a phase of it trains.
struct Asked {
  const ResolvedArm& arm;
  Phase phase;
  ResolvedObjective objective;  // the phase's
  std::string pointer;          // below the arm's sections
  std::string who;              // the arm and phase, for messages
};

/// The arm's own objective, then those of the phases that it names.
std::vector<Asked> asked_by(const Catalog& catalog, const ResolvedArm& arm) {
  const auto asked = [&](Phase phase, std::string pointer, std::string who) {
    ResolvedObjective objective = resolve_objective(catalog, phase.objective);
    return Asked{arm, std::move(phase), std::move(objective), std::move(pointer), std::move(who)};
  };
  std::vector<Asked> all = {asked(own_phase(arm), "/objective", fmt::format("arm '{}'", arm.name))};
  for (Phase& phase : phases_of(arm)) {
    if (phase.name.empty()) continue;
    std::string who = fmt::format("{}, phase '{}'", all[0].who, phase.name);
    all.push_back(asked(std::move(phase), fmt::format("/train/phases/{}/objective", all.size() - 1),
                        std::move(who)));
  }
  return all;
}

/// The objective for this vocabulary; none after adding a fault if it is refused.
std::optional<Objective> build(const Experiment& experiment, const Asked& asked,
                               const Vocabulary& vocabulary, Faults& faults) {
  const auto& [spec, params] = asked.objective;
  try {
    return built_objective(*spec, params, {vocabulary, asked.phase.context});
  } catch (const std::invalid_argument& error) {
    faults.add(place_in_arm(*experiment.sources, asked.arm, asked.pointer),
               fmt::format("{}: {}", asked.who, error.what()));
    return std::nullopt;
  }
}

/// The backbones that can host an objective with these needs, as a remedy; empty if none can.
std::string hosts_of(const Catalog& catalog, const Needs& needs) {
  std::vector<std::string_view> hosts;
  for (const BackboneSpec& spec : catalog.backbones)
    if (mismatch(needs, spec.offer, catalog.heads).empty()) hosts.push_back(spec.name);
  return hosts.empty() ? "" : fmt::format("; set model.backbone to {}", fmt::join(hosts, " or "));
}

/// Why the arm's backbone cannot host an objective with these needs; empty if it can.
std::string refusal(const Catalog& catalog, const ResolvedArm& arm, const Needs& needs) {
  std::string why = mismatch(needs, arm.backbone->offer, catalog.heads);
  if (!why.empty()) return why + hosts_of(catalog, needs);
  if (arm.backbone->cannot_host != nullptr)
    why = arm.backbone->cannot_host(params_of(model_section(catalog), arm.model), needs);
  return why;
}

/// Builds the objectives of an arm and refuses those that its backbone cannot host. Returns the
/// maximum number of sentinels that they need.
std::int64_t check_hosting(const Catalog& catalog, const Experiment& experiment,
                           const ResolvedArm& arm, const Vocabulary& vocabulary, Faults& faults) {
  std::int64_t sentinels = 0;
  const std::vector<Asked> all = asked_by(catalog, arm);
  for (const Asked& asked : all) {
    const std::optional<Objective> objective = build(experiment, asked, vocabulary, faults);
    if (!objective) continue;
    const Needs& needs = objective->needs;
    sentinels = std::max(sentinels, needs.sentinels);
    const auto refuse = [&](const std::string& why) {
      faults.add(place_in_arm(*experiment.sources, arm, asked.pointer), why);
    };
    const std::string_view type = asked.objective.spec->name;
    if (const std::string why = refusal(catalog, arm, needs); !why.empty())
      refuse(fmt::format("{}: backbone '{}' cannot host objective '{}': {}", asked.who,
                         arm.backbone->name, type, why));
  }
  return sentinels;
}

/// Gives the arm's own objective and those of its phases the heads of one network. Adds a fault if
/// there is none; returns whether there is.
bool join(const Experiment& experiment, const ResolvedArm& arm, const ResolvedModel& model,
          std::vector<ResolvedPhase>& resolved, Faults& faults) {
  std::string why = join_heads(resolved.front(), std::span(resolved).subspan(1));
  if (why.empty() && resolved.size() > 1 && arm.backbone->cannot_host != nullptr)
    why = arm.backbone->cannot_host(model.params, resolved.front().objective.needs);
  if (why.empty()) return true;
  faults.add(place_in_arm(*experiment.sources, arm, "/train/phases"),
             fmt::format("arm '{}': its phases: {}", arm.name, why));
  return false;
}

/// The weights that an arm starts from; empty if it starts from initial weights.
Start start_of(const Experiment& experiment, const ResolvedArm& arm, const Vocabulary& vocabulary,
               Faults& faults) {
  if (!arm.start) return {};
  const Json model = {
      {"model", arm.model},
      {"vocabulary", {{"ordinary", vocabulary.ordinary}, {"sentinels", vocabulary.sentinels}}},
      {"semantics", {{"backbone", arm.backbone->version}}}};
  try {
    return prepare_start(*arm.start, model, data::cache_folder());
  } catch (const DamagedFile&) {
    throw;
  } catch (const std::exception& error) {  // files that cannot be read among them
    if (is_disk_fault(error)) throw;
    faults.add(place_in_arm(*experiment.sources, arm, "/train/start"),
               fmt::format("arm '{}': train.start: {}", arm.name, error.what()));
    return {};
  }
}

}  // namespace

std::vector<Phase> phases_of(const ResolvedArm& arm) {
  return phases_of(arm.train, arm.objective, arm.context(), "main");
}

void check_corpus(const Experiment& experiment, Faults& faults) {
  if (experiment.corpus.is_null()) return;  // refused where it was read
  guarded(experiment, "/corpus", "corpus", faults, [&] {
    data::check_corpus(experiment.sources->with_places(experiment.corpus, "/corpus"), {});
  });
}

Prepared prepare(const Catalog& catalog, const Experiment& experiment, Faults& faults) {
  Prepared prepared;
  guarded(experiment, "/corpus", "corpus", faults, [&] {
    prepared.corpus_file = data::prepare_corpus(
        experiment.sources->with_places(experiment.corpus, "/corpus"), {}, data::cache_folder(),
        [&](const std::string& what) { prepared.warnings.push_back("corpus main: " + what); });
    if (experiment.development > 0)
      prepared.corpus_file = data::development_corpus(data::Corpus::open(prepared.corpus_file),
                                                      experiment.development, data::cache_folder());
  });
  if (!faults.empty()) return prepared;
  prepare_probes(experiment, faults, prepared);
  prepared.corpus = data::Corpus::open(prepared.corpus_file);
  prepared.vocabulary.ordinary = prepared.corpus.ordinary();
  std::int64_t sentinels = 0;
  for (const ResolvedArm& arm : experiment.arms)
    sentinels =
        std::max(sentinels, check_hosting(catalog, experiment, arm, prepared.vocabulary, faults));
  if (!faults.empty()) return prepared;
  prepared.vocabulary.sentinels = static_cast<Token>(sentinels);
  PhaseCorpora corpora(experiment, prepared.corpus, faults, prepared.warnings);
  for (const ResolvedArm& arm : experiment.arms) {
    const ResolvedModel model = resolve_model(catalog, arm.model, prepared.vocabulary);
    std::vector<ResolvedPhase> resolved;  // the arm's own, then the phases that it names
    for (const Asked& asked : asked_by(catalog, arm)) {
      try {
        resolved.push_back(resolve_phase(catalog, model, asked.phase));
      } catch (const std::invalid_argument& error) {  // refused for the sentinels that are reserved
        faults.add(place_in_arm(*experiment.sources, arm, asked.pointer),
                   fmt::format("{}: {}", asked.who, error.what()));
        return prepared;
      }
    }
    if (!join(experiment, arm, model, resolved, faults)) return prepared;
    prepared.models.push_back(model);
    prepared.own.push_back(resolved.front());
    // Behind the arm's own, if it has phases.
    const std::size_t first = resolved.size() > 1 ? 1 : 0;
    auto& phases = prepared.phases.emplace_back();
    for (const Phase& phase : phases_of(arm)) {
      const std::size_t number = phases.size();
      phases.push_back({std::move(resolved[first + number]), corpora.members(arm, phase, number)});
    }
    prepared.starts.push_back(start_of(experiment, arm, prepared.vocabulary, faults));
  }
  return prepared;
}

}  // namespace ablate::plan
