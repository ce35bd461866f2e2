// Turns the JSON configuration of a trial into types. Pricing, previews, the worker and the probes
// all use what is made here. Only plan/prepare builds objectives elsewhere: it needs what they ask
// for before the vocabulary's sentinels are known.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/data/batches/packing.h"
#include "harness/data/language/language.h"
#include "harness/plan/trial/phase.h"
#include "harness/plan/trial/trial.h"

namespace ablate::plan {

/// A backbone with its parameters and vocabulary.
struct ResolvedModel {
  const BackboneSpec* backbone = nullptr;
  Params params;
  Vocabulary vocabulary;
  std::span<const HeadSpec> heads = {};  // that can be built on it

  /// The model's setting "context": tokens in a text.
  std::int64_t context() const { return params.integer("context"); }
};

/// An objective with its parameters.
struct ResolvedObjective {
  const ObjectiveSpec* spec = nullptr;
  Params params;
};

/// A corpus that a phase draws from.
struct ResolvedCorpus {
  std::string hash;                // of its content; empty if not known yet
  double fraction = 1;             // of the phase's texts
  std::optional<Params> language;  // parameters of the built-in language; none for text
};

/// A phase of training, or the objective and corpus that a trial is measured by.
struct ResolvedPhase {
  std::string name;                     // empty if the trial has no named phases
  const ObjectiveSpec* spec = nullptr;  // the objective's
  Params params;                        // the objective's
  Json recorded_objective;              // {"type", ...}, as stored in the record
  Objective objective;                  // its needs are adapted to the backbone
  std::int64_t context = 0;             // tokens in a text
  std::int64_t steps = 0;               // as planned; 0: the budget ends it
  RowShape shape;                       // positions of a row
  std::uint64_t seed = 0;               // of data order and noise
  Params train;                         // its settings of training
  Budget budget;                        // what it may spend
  data::Packing packing = data::Packing::isolated;
  std::vector<ResolvedCorpus> corpora;  // in a trial, at least one; the first is its own
  FlopCount flops;                      // per position and per target
};

/// A measurement of a trial on the way.
struct PointOnTheWay {
  std::int64_t step = 0;  // after which it is made
  std::string id;         // of the measurement
};

/// A probe of a trial.
struct ResolvedProbe {
  std::string id;  // of the measurement
  const ProbeSpec* spec = nullptr;
  Params params;
  Json settings;  // as planned, including what was prepared for the worker
  std::vector<PointOnTheWay> on_the_way = {};  // by step
};

/// A trial, ready to be trained and measured.
struct ResolvedTrial {
  std::string id;
  std::int64_t seed = 0;
  ResolvedModel model;
  Hosting hosting;                    // what the network is built for
  ResolvedPhase own;                  // the trial's own objective on its own corpus
  std::vector<ResolvedPhase> phases;  // what is trained; at least one
  bool has_phases = false;            // whether the phases are named
  std::string start;                  // hash of the weights that it starts from; may be empty
  std::vector<ResolvedProbe> probes;
};

/// The objective with these parameters for texts of `context` tokens, its needs adapted to the
/// model's backbone. Throws std::invalid_argument if the parameters are refused. Requires: the
/// backbone can host it.
Objective hosted_objective(const ObjectiveSpec& spec, const Params& params,
                           const ResolvedModel& model, std::int64_t context);

/// The objective of a resolved section {"type", ...}. Throws std::invalid_argument for an unknown
/// objective.
ResolvedObjective resolve_objective(const Catalog& catalog, const Json& section);

/// The model of a resolved "model" section. Throws std::invalid_argument for an unknown backbone.
ResolvedModel resolve_model(const Catalog& catalog, const Json& section,
                            const Vocabulary& vocabulary);

/// The phase, for this model. Its corpora, seed and FLOPs are not filled in. Throws
/// std::invalid_argument if its objective is refused.
ResolvedPhase resolve_phase(const Catalog& catalog, const ResolvedModel& model, const Phase& phase);

/// Joins the heads of an arm's own objective and of its phases'; see join_heads(). Afterwards all of
/// them have the needs of the network that is built.
std::string join_heads(ResolvedPhase& own, std::span<ResolvedPhase> phases);

/// The trial, from its configuration. Throws std::invalid_argument if the configuration has another
/// form or names something that the catalogue does not have.
ResolvedTrial resolve(const Trial& trial, const Catalog& catalog);

/// The built-in language that a corpus was drawn from; null if it is text.
std::shared_ptr<const data::Language> language_of(const ResolvedCorpus& corpus);

/// The parameters of a probe of a trial, without the keys that ProbeSpec::prepare and the plan have
/// added.
Params probe_params(const ProbeSpec& spec, const Json& probe);

}  // namespace ablate::plan
