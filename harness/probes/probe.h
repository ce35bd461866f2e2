// Measuring a trained model without changing it.

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/data/corpus/corpus.h"
#include "harness/data/language/language.h"
#include "harness/plan/resolve/resolve.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// A phase of the trial's training, for probes of the weights at its end.
struct SubjectPhase {
  plan::ResolvedPhase phase;
  data::Corpus corpus;                             // of the phase; the first member of a mixture
  std::shared_ptr<const data::Language> language;  // the corpus was drawn from; null on text
  std::function<std::unique_ptr<train::Network>()>
      trained;  // builds one lane with the weights at the end of the phase
};

/// The mean loss of the steps of a trial since the point before.
struct TrainingPoint {
  std::int64_t step = 0;       // steps made so far
  double text_tokens = 0;      // read so far
  std::optional<double> loss;  // of the first head, in nats per scored token; none: none was scored
};

/// What training left on record. Without points for a trial that starts from given weights or names
/// phases: then its losses are not of one objective from initial weights on.
struct TrainingCourse {
  std::vector<TrainingPoint> points;
  double epochs = 0;         // passes over the training text
  double text_tokens = 0;    // read
  double scored_tokens = 0;  // of the first head
};

/// A model that no arm is, which a probe trains to measure by. The worker chooses it.
struct ReferenceModel {
  Objective objective;                      // that it is trained with, and reads texts by
  std::unique_ptr<train::Network> network;  // one lane; its parameters have no values yet
};

/// A trained model and what a probe needs to measure it.
struct Subject {
  std::int64_t seed = 0;             // the trial's
  const plan::ResolvedModel& model;  // backbone, vocabulary
  const plan::ResolvedPhase& phase;  // objective, context and rows that it is measured with
  const data::Corpus& corpus;
  const data::Language* language = nullptr;  // the corpus was drawn from; null on text
  train::Network& network;                   // one lane, trained
  std::function<std::unique_ptr<train::Network>()> untrained;  // builds it with initial weights
  std::string device = "cpu";
  std::filesystem::path cache;  // the folder of the corpus and of what `ProbeSpec::prepare` made
  std::vector<SubjectPhase> phases = {};  // empty where the arm names no phases
  std::function<std::unique_ptr<train::Network>(std::int64_t lanes)> bank =
      {};  // builds a bank of the model; its parameters have no values yet
  std::function<ReferenceModel(std::int64_t width, std::int64_t depth, std::int64_t context)>
      reference = {};  // of the same vocabulary; reads texts of up to `context` tokens
  TrainingCourse course = {};

  /// The model's vocabulary.
  const Vocabulary& vocabulary() const { return model.vocabulary; }

  /// The spec of the objective that the model is measured with.
  const ObjectiveSpec& objective() const { return *phase.spec; }

  /// The same subject with other weights, which outlive it.
  Subject with(train::Network& weights) const {
    return {seed,   model, phase,  corpus, language,  weights, untrained,
            device, cache, phases, bank,   reference, course};
  }

  /// The same subject, measured with another phase, which outlives it.
  Subject with(const plan::ResolvedPhase& other) const {
    return {seed,   model, other,  corpus, language,  network, untrained,
            device, cache, phases, bank,   reference, course};
  }
};

/// The results of one probe on one trial.
struct Measurement {
  std::map<std::string, double> metrics;  // by the names that the probe's spec lists
  Json details = Json::object();          // further results: per layer, per item ...
  Json samples = Json::array();           // [{"text", "about"}]

  /// By metric, its value for each test item, such as 1 where a document is classified correctly; the
  /// same items in the same order for all arms of a seed. measure() puts them into the details, as
  /// "items", but for those that have a value which is not finite.
  std::map<std::string, std::vector<double>> items;

  /// By metric of `items`, where the arms of a seed may differ in which items they have: what tells. Only
  /// arms that say the same are compared item by item. In the details as "item_sets".
  std::map<std::string, std::string> item_sets;
};

/// Receives the fraction of the work that is done, in [0, 1].
using ProgressSink = std::function<void(double fraction)>;

/// The signature of a probe's measuring function. It runs without gradients and calls `progress`
/// with the fraction of its work that is done.
using Measure = Measurement(const Subject& subject, const plan::ResolvedProbe& probe,
                            const ProgressSink& progress);

/// A row of the table of measuring functions.
struct MeasureRow {
  std::string_view probe;  // the name in its spec
  Measure* measure;
};

/// The rows of all probes of the registry.
std::span<const MeasureRow> measure_rows();

/// Runs one probe of the trial, without gradients, by its row of the table. `progress` may be
/// empty. Throws std::logic_error where the table has no row of the probe, or where the probe
/// returns a metric that its spec does not list, which no report would show.
Measurement measure(const Subject& subject, const plan::ResolvedProbe& probe,
                    const ProgressSink& progress,
                    std::span<const MeasureRow> table = measure_rows());

}  // namespace ablate::probes
