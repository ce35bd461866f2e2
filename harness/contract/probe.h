// What the planner and the report know of a probe: its parameters and its metrics. Measuring needs
// LibTorch and is done in harness/probes.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/backbone.h"
#include "harness/contract/metrics/metric.h"
#include "harness/contract/objective.h"
#include "harness/contract/params.h"
#include "harness/contract/training_loss.h"

namespace ablate::data {
class Tokenizer;
}

namespace ablate {

/// What ProbeSpec::prepare is given.
struct Preparation {
  Json section;  // the resolved corpus section

  /// The folder that a relative path in a setting of the probe is relative to: that of the file
  /// which contains the setting, or the current folder if a flag gave it.
  std::function<std::filesystem::path(const std::string& setting)> folder_of;

  std::filesystem::path cache;   // folder of tokenised corpora, where prepared files are put
  std::filesystem::path corpus;  // the experiment's tokenised corpus, in the cache

  /// The tokenizer that made the corpus. Throws if none did. Passed as a function because the specs
  /// of the probes are also linked by the worker, and a program that links LibTorch must not link
  /// SentencePiece: their versions of protobuf clash, and the program aborts at its start.
  std::function<std::shared_ptr<const data::Tokenizer>()> tokenizer;

  /// Takes a sentence that the plan shows about the probe's files: what they hold, and how they are
  /// read.
  std::function<void(std::string)> note = [](const std::string&) {};

  /// Takes a warning: the files can be used, but are probably not what their user means.
  std::function<void(std::string)> warn = [](const std::string&) {};
};

/// What a probe of phases is told about each phase when it lists its metrics.
struct PhaseAbout {
  std::string name;
  const ObjectiveSpec* objective = nullptr;
  Params params;  // the objective's
};

/// What a probe is told about an arm before anything is trained.
struct ProbedArm {
  const ObjectiveSpec& objective;
  const Params& params;             // the objective's
  const Offer& offer;               // its backbone's
  std::span<const HeadSpec> heads;  // that there are
  bool language = false;  // trained on the built-in language, for which the optimum, Bayes accuracy
                          // and exact log-probabilities can be computed
  std::int64_t context = 0;         // of its model, tokens; 0: not known
  std::int64_t fewest_context = 0;  // of all arms of the experiment
  std::int64_t width = 0;           // of its model; 0: not known
  std::int64_t greatest_width = 0;  // of all arms of the experiment
  const Json* task = nullptr;       // the section of a corpus of kind "task"; null on others
  bool routes = false;              // its model chooses experts for each position
  TrainingLoss loss = {};           // that it is trained by

  /// Whether its corpus is text, which has bytes.
  bool text() const { return !language && task == nullptr; }

  /// The first head of its objective.
  HeadNeed first_head() const {
    const HeadNeed tokens;
    return known_heads({objective.first_head ? objective.first_head(params) : tokens}, heads)
        .front();
  }

  /// The heads of its objective after the first.
  std::vector<HeadNeed> further_heads() const {
    if (objective.further_heads == nullptr) return {};
    return known_heads(objective.further_heads(params), heads);
  }
};

/// What of a probe's files an arm has no room for.
struct Misfits {
  std::vector<std::string> sentences = {};  // what is left out or cut, of how many
  std::vector<std::string> absent = {};     // metrics that the arm does not get for it
};

/// One row of the table of probes.
struct ProbeSpec {
  std::string_view name;     // as written in experiment files
  std::string_view summary;  // one line
  std::string_view subject =
      {};  // what its metrics are of, the title of their group in reports, to
           // which the name is added where an experiment gives the probe one;
           // empty: the probe's name
  std::vector<Param> params;

  /// The metrics that the probe yields for an arm with these settings.
  std::vector<Metric> (*metrics)(const Params& params, const ProbedArm& arm);

  /// Why the probe cannot measure the arm, and what to do about it; empty if it can. Null
  /// if it always can.
  std::string (*refusal)(const Params& params, const ProbedArm& arm);

  /// How long measuring the arm once takes, in tokens: about as many as the model would read in that
  /// time in small batches. For the plan's estimate where nothing was timed yet: it should be right
  /// within a factor of about two on a model of width 64. Null: too few to matter.
  double (*tokens)(const Params& params, const ProbedArm& arm) = nullptr;

  /// Prepares what a worker cannot, since it links no tokenizer, and returns `settings` with the
  /// names of the prepared files. The plan calls this before it computes a measurement's id, so
  /// that files are identified by their content, not by their path. Null if there is nothing to
  /// prepare.
  /// Throws std::invalid_argument for settings that are refused, std::runtime_error for files that
  /// cannot be read.
  Json (*prepare)(const Params& settings, const Preparation& preparation) = nullptr;

  /// What of the prepared files does not fit into the context of the arm. `prepared`: what `prepare`
  /// returned; `cache`: the folder of the prepared files. Throws std::invalid_argument where nothing
  /// is left to measure, with the remedy. Null if there are no files, or all of them fits.
  Misfits (*misfits)(const Json& prepared, const Params& params, const ProbedArm& arm,
                     const std::filesystem::path& cache) = nullptr;

  bool reads_held_out = false;  // reads the held-out part in texts of the trial's length

  int version = 1;  // raised when its numbers change; part of every measurement's id

  /// The metrics that the probe yields for an arm with these phases, in addition to `metrics`. Null
  /// if it does not measure phases.
  std::vector<Metric> (*phase_metrics)(const std::vector<PhaseAbout>& phases,
                                       bool language) = nullptr;
};

}  // namespace ablate
