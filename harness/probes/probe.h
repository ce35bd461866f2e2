// Measuring a trained model without changing it.

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/data/corpus/corpus.h"
#include "harness/data/language/language.h"
#include "harness/plan/resolve/resolve.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// A phase of the trial's training, for those who ask what it left behind.
struct SubjectPhase {
  plan::ResolvedPhase phase;
  data::Corpus corpus;                             // its own: of a mixture, the first member's
  std::shared_ptr<const data::Language> language;  // that it was drawn from; null on text
  std::function<std::unique_ptr<train::Network>()>
      trained;  // one lane, with the weights at its end
};

/// A trained model and all that a probe may ask about it.
struct Subject {
  std::int64_t seed = 0;             // the trial's
  const plan::ResolvedModel& model;  // backbone, vocabulary
  const plan::ResolvedPhase& phase;  // what it is measured by: objective, context, rows
  const data::Corpus& corpus;
  const data::Language* language = nullptr;  // of the built-in corpus; null on text
  train::Network& network;                   // one lane, trained
  std::function<std::unique_ptr<train::Network>()> untrained;  // the same with its initial weights
  std::string device = "cpu";
  std::filesystem::path cache;  // the corpus' folder: what `ProbeSpec::prepare` made is beside it
  std::vector<SubjectPhase> phases = {};  // of an arm that names phases

  const Vocabulary& vocabulary() const { return model.vocabulary; }
  const ObjectiveSpec& objective() const { return *phase.spec; }
};

struct Measurement {
  std::map<std::string, double> metrics;  // by the names that the probe's spec lists
  Json details = Json::object();  // what a reader may want to look up: per layer, per item ...
  Json samples = Json::array();   // [{"text", "about"}]
};

using ProgressSink = std::function<void(double share)>;

/// Runs one probe of the trial's list. Throws std::logic_error where it yields a metric that its
/// spec does not list: a report would never hear of it.
Measurement measure(const Subject& subject, const plan::ResolvedProbe& probe,
                    const ProgressSink& progress);

}  // namespace ablate::probes
