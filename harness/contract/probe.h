// What a probe is, to those who plan and report: its parameters and its metrics. Measuring needs
// LibTorch and lives in harness/probes.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/backbone.h"
#include "harness/contract/metric.h"
#include "harness/contract/objective.h"
#include "harness/contract/params.h"

namespace ablate::data {
class Tokenizer;
}

namespace ablate {

/// What a probe's settings are prepared with.
struct Preparation {
  Json section;  // the resolved corpus section

  /// Where the relative path that a setting of the probe gives starts: the folder of the file that
  /// gave it, the current one where a flag did.
  std::function<std::filesystem::path(const std::string& setting)> folder_of;

  std::filesystem::path cache;   // of tokenised corpora; what is made goes here
  std::filesystem::path corpus;  // the experiment's tokenised corpus, in the cache

  /// The tokenizer that made the corpus; throws where none did. Handed in, not included: a program
  /// that links LibTorch must not link SentencePiece (their protobufs clash and end it at its
  /// start), and it links the specs of the probes.
  std::function<std::shared_ptr<const data::Tokenizer>()> tokenizer;
};

/// What a probe that asks about phases of training is told of one when it lists its metrics.
struct PhaseAbout {
  std::string name;
  const ObjectiveSpec* objective = nullptr;
  Params params;  // the objective's
};

/// What a probe is told of an arm before anything is trained.
struct ProbedArm {
  const ObjectiveSpec& objective;
  const Params& params;   // the objective's
  const Offer& offer;     // its backbone's
  bool language = false;  // on the built-in language, where optimum, Bayes accuracy and exact
                          // log-probabilities exist
};

struct ProbeSpec {
  std::string_view name;  // as written in experiment files
  std::string_view summary;
  std::vector<Param> params;

  /// The metrics that it yields for an arm.
  std::vector<Metric> (*metrics)(const ProbedArm& arm);

  /// Refuses, with a remedy, what cannot be measured; returns nothing where all is well.
  std::string (*refusal)(const Params& params, const ProbedArm& arm);

  /// Makes what a worker cannot (it links no tokenizer) and returns `settings` with it named;
  /// called by the plan before a measurement's id is made, so that what is read is named by its
  /// content, not by its path. Empty where there is nothing to make.
  /// Throws std::invalid_argument for what was asked wrongly, std::runtime_error for files that
  /// cannot be read.
  Json (*prepare)(const Params& settings, const Preparation& preparation) = nullptr;

  bool reads_held_out = false;  // texts of the held-out part, cut as a trial cuts its own

  int version = 1;  // raised when its numbers change; part of every measurement's id

  /// The metrics that it yields for an arm of these phases, beside `metrics`; null: it does not ask
  /// about phases.
  std::vector<Metric> (*phase_metrics)(const std::vector<PhaseAbout>& phases,
                                       bool language) = nullptr;
};

}  // namespace ablate
