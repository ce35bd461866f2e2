// Small languages, corpora and networks whose predictions are known, for the tests of the probes.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "harness/data/corpus/corpus_write.h"
#include "harness/probes/probe.h"

namespace ablate::probes::testing {

/// A language of a few states with some text drawn from it, stored as a corpus.
struct SmallWorld {
  explicit SmallWorld(const Json& dials = Json::object());

  Vocabulary vocabulary() const { return {.ordinary = language.chain().ordinary, .sentinels = 24}; }

  data::Language language;
  data::Corpus corpus;
};

/// A trial of an objective ({"type", ...}) at a small context.
plan::Trial trial_of(const Json& objective, const std::string& packing = "isolated",
                     std::int64_t context = 24);

/// A model of those ids on a backbone that hosts everything.
plan::ResolvedModel any_model(const Vocabulary& vocabulary);

/// What a trial of `trial_of` is measured by.
plan::ResolvedPhase phase_of(const plan::Trial& trial, const plan::ResolvedModel& model);

/// A probe with the settings that are given ({"type", ...}) and the defaults of the others.
plan::ResolvedProbe probe_of(const Json& settings);

/// The logits of one position, given the tokens that it sees, its index among them and the complete
/// row.
struct Seen {
  std::span<const Token> visible;
  std::size_t at = 0;
  std::span<const Token> row;
  std::size_t place = 0;               // of the position in the row
  std::size_t head = 0;                // that predicts, of those of the needs
  std::span<const Token> source = {};  // what it sees of an encoder's inputs

  std::int64_t position = 0;                     // its own
  std::span<const std::int64_t> positions = {};  // of what is visible
  std::span<const Token> also = {};              // what it sees in a second interval
  std::span<const std::int64_t> also_positions = {};
};

/// A network whose logits are given by a function. It has two layers: one without information, and
/// the posterior of the topic given the visible tokens.
class Oracle : public train::Network {
 public:
  using Rule = std::function<std::vector<double>(const Seen&)>;  // logits, [vocabulary]

  Oracle(const Chain& chain, Rule rule) : chain_(&chain), rule_(std::move(rule)) {}
  explicit Oracle(Rule rule) : rule_(std::move(rule)) {}

  /// The logits of a place with each of the partners of a step's places.
  using Comparison = std::function<std::vector<double>(const Seen&, std::span<const Seen>)>;

  /// Answers for a head that compares states.
  void compare_by(Comparison comparison) { comparison_ = std::move(comparison); }

  /// Keeps its logits in double, so that scores are exact to more than float32 has digits.
  void in_double() { double_ = true; }

  std::vector<train::Parameter>& parameters() override { return none_; }
  std::int64_t lanes() const override { return 1; }
  at::Tensor hidden(const train::Inputs& inputs) override;
  train::Totals accumulate(const train::Inputs&, const std::vector<train::HeadTargets>&,
                           const at::Tensor&) override;
  at::Tensor head_hidden(std::size_t head, const train::Inputs& inputs,
                         train::HeadStreams& streams) override;
  train::TargetCosts costs(std::size_t head, const at::Tensor& hidden, std::int64_t lane,
                           const train::LaneTargets& targets) override;
  at::Tensor losses(const at::Tensor&, const train::HeadTargets&) override;
  at::Tensor logits(const at::Tensor& hidden, std::int64_t lane, const at::Tensor& at) override;
  std::vector<at::Tensor> layers(const train::Inputs& inputs) override;

 private:
  Seen seen(std::int64_t index) const;
  std::vector<double> known(std::int64_t index) const;

  const Chain* chain_ = nullptr;
  Rule rule_;
  Comparison comparison_;
  bool double_ = false;
  std::vector<train::Parameter> none_;
  std::vector<Token> tokens_;
  std::vector<std::int64_t> from_, until_, positions_;
  std::vector<std::int64_t> also_from_, also_until_;  // empty where no place has a second interval
  std::vector<Token> source_;                         // an encoder's inputs; empty without one
  std::vector<std::int64_t> seen_from_, seen_until_;
  std::int64_t rows_ = 0, time_ = 0;
};

/// The exact predictor of an objective of the registry, by filtering or by smoothing through its
/// channel; of prefix LM by filtering all that is visible, and of fill-in-the-middle that at rate
/// 0; fails the test for one that it does not know.
Oracle::Rule exact_rule(const Chain& chain, const ObjectiveSpec& spec, const Params& params);

/// The exact predictor of contrastive learning: of which segment follows.
Oracle::Comparison exact_comparison(const Chain& chain);

/// Says the same of every id.
Oracle::Rule uniform_rule(const Vocabulary& vocabulary);

/// What a measurement of `network` says.
Measurement measured(const SmallWorld& world, const plan::Trial& trial, train::Network& network,
                     const Json& probe);

/// The same of a model on another backbone; `untrained`: builds it with initial weights.
Measurement measured_on(const BackboneSpec& backbone, const SmallWorld& world,
                        const plan::Trial& trial, train::Network& network,
                        std::function<std::unique_ptr<train::Network>()> untrained,
                        const Json& probe);

/// The same on a corpus of text; `cache`: where its labelled text is.
Measurement measured_on_text(const data::Corpus& corpus, const plan::Trial& trial,
                             train::Network& network, const Json& probe,
                             const std::filesystem::path& cache = {});

/// A new folder in the system's temporary folder.
std::filesystem::path scratch_folder(const std::string& name);

/// The content as a corpus; nothing of it stays on the disk.
data::Corpus stored(const data::CorpusContent& content);

/// A small corpus of kind "task"; `task`: the section of one, such as {"copy", {...}}.
data::Corpus task_corpus(const Json& task);

/// The spec of that name in the registry.
const ObjectiveSpec& objective_named(const std::string& name);

}  // namespace ablate::probes::testing
