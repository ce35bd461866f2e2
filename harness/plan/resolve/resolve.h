// A trial with all that its stages need, looked up once: pricing, previews, the worker and the
// probes take what is made here, and nobody else builds an objective from a section of JSON.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/data/batches/packing.h"
#include "harness/data/language/language.h"
#include "harness/plan/trial/phase.h"
#include "harness/plan/trial/trial.h"

namespace ablate::plan {

/// A backbone with its parameters, and the ids that it reads.
struct ResolvedModel {
  const BackboneSpec* backbone = nullptr;
  Params params;
  Vocabulary vocabulary;

  /// Tokens in a text of the model's own.
  std::int64_t context() const { return params.integer("context"); }
};

/// A corpus that a phase draws from.
struct ResolvedCorpus {
  std::string hash;                // of its content; empty where it is not named by it yet
  double fraction = 1;             // of the phase's texts
  std::optional<Params> language;  // the dials of the built-in language; none on text
};

/// What a model is trained on for a stretch, or measured by.
struct ResolvedPhase {
  std::string name;                     // empty where the trial names no phases
  const ObjectiveSpec* spec = nullptr;  // of the objective
  Params params;                        // the objective's
  Json recorded_objective;              // {"type", ...}, as the record names it
  Objective objective;                  // as the backbone hosts it
  std::int64_t context = 0;             // tokens in a text
  std::int64_t steps = 0;               // as planned; 0: the budget ends it
  RowShape shape;                       // positions of a row
  std::uint64_t seed = 0;               // of data order and noise
  Params train;                         // the settings of training that hold in it
  data::Packing packing = data::Packing::isolated;
  std::vector<ResolvedCorpus> corpora;  // at least one in a trial; the first is its own
  FlopCount flops;                      // per position and target
};

/// A probe of a trial's list.
struct ResolvedProbe {
  std::string id;  // of the measurement
  const ProbeSpec* spec = nullptr;
  Params params;
  Json settings;  // as planned, with what was prepared for the worker
};

struct ResolvedTrial {
  std::string id;
  std::int64_t seed = 0;
  ResolvedModel model;
  Hosting hosting;                    // what the network is built for
  ResolvedPhase own;                  // the trial's own objective on its own corpus
  std::vector<ResolvedPhase> phases;  // that are trained: at least one
  bool has_phases = false;            // whether the trial names them
  std::string start;                  // hash of the weights that it starts from; empty: anew
  std::vector<ResolvedProbe> probes;
};

/// The objective of a section at a context, as the model's backbone hosts it. Throws
/// std::invalid_argument where its parameters are refused. Requires: the backbone can host it.
Objective hosted_objective(const ObjectiveSpec& spec, const Params& params,
                           const ResolvedModel& model, std::int64_t context);

/// A model of a resolved "model" section.
ResolvedModel resolve_model(const Catalog& catalog, const Json& section,
                            const Vocabulary& vocabulary);

/// A phase for a model. Its corpora and its FLOPs are left to those who know them.
ResolvedPhase resolve_phase(const Catalog& catalog, const ResolvedModel& model, const Phase& phase);

/// What a worker trains and measures, from a trial's configuration. Throws std::invalid_argument
/// where the configuration names what this catalogue does not have, or in another form.
ResolvedTrial resolve(const Trial& trial, const Catalog& catalog);

/// The built-in language that a corpus was drawn from; null on text.
std::shared_ptr<const data::Language> language_of(const ResolvedCorpus& corpus);

/// The parameters of a probe of a trial's list: what `ProbeSpec::prepare` and the plan added is
/// left out.
Params probe_params(const ProbeSpec& spec, const Json& probe);

}  // namespace ablate::plan
