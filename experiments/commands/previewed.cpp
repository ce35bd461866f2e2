#include "experiments/commands/previewed.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/plan/preview/strips.h"

namespace ablate::commands {
namespace {

using reports::SightMatrix;

/// Intervals [from, until) of columns that each row sees.
struct Intervals {
  const std::vector<std::int32_t>&from, &until;
};

std::vector<std::string> names_of(const plan::Preview& preview, const std::vector<Token>& tokens) {
  std::vector<std::string> names;
  for (const Token token : tokens) {
    if (names.size() == reports::kMostDrawn) break;
    names.push_back(plan::spelled(preview, token));
  }
  return names;
}

/// Marks what the rows of a matrix see.
void mark(SightMatrix& sight, const Intervals& seen) {
  for (std::size_t i = 0; i < sight.rows.size(); ++i) {
    const auto end = std::min(static_cast<std::size_t>(seen.until[i]), sight.columns.size());
    for (auto j = static_cast<std::size_t>(seen.from[i]); j < end; ++j) sight.sees[i][j] = true;
  }
}

SightMatrix matrix(std::string title, std::vector<std::string> rows,
                   std::vector<std::string> columns) {
  SightMatrix sight{std::move(title), std::move(rows), std::move(columns), {}, {}};
  sight.sees.assign(sight.rows.size(), std::vector<bool>(sight.columns.size()));
  sight.predicts.assign(sight.rows.size(), false);
  return sight;
}

std::vector<SightMatrix> sights_of(const plan::Preview& preview, const data::Batch& batch) {
  std::vector<SightMatrix> sights;
  const std::vector<std::string> own = names_of(preview, batch.tokens);
  std::set<std::int32_t> predicting;
  for (const data::Scored& scored : batch.scored)
    predicting.insert(scored.positions.begin(), scored.positions.end());
  const auto add = [&](SightMatrix sight) {
    for (const std::int32_t at : predicting)
      if (static_cast<std::size_t>(at) < sight.rows.size())
        sight.predicts[static_cast<std::size_t>(at)] = true;
    sights.push_back(std::move(sight));
  };
  const data::Source& source = batch.source;
  if (source.time > 0) {
    const std::vector<std::string> inputs = names_of(preview, source.tokens);
    SightMatrix encoder = matrix("encoder: inputs see inputs", inputs, inputs);
    mark(encoder, {source.visible_from, source.visible_until});
    sights.push_back(std::move(encoder));
    SightMatrix across = matrix("decoder: what it sees of the inputs", own, inputs);
    mark(across, {batch.source_from, batch.source_until});
    add(std::move(across));
  }
  SightMatrix within = matrix(source.time > 0 ? "decoder: what it sees of itself" : "", own, own);
  mark(within, {batch.visible_from, batch.visible_until});
  if (!batch.also_from.empty()) mark(within, {batch.also_from, batch.also_until});
  add(std::move(within));
  return sights;
}

/// A sentence for each label that is no token, with where it stands, and one for those that a sample decides.
void add_labels(const plan::Preview::Shown& shown, std::vector<std::string>& notes) {
  constexpr std::size_t kMostNamed = 4;
  std::map<Token, std::vector<std::int32_t>> places;
  std::size_t sampled = 0;
  for (const Label& label : shown.example.labels) {
    if (!(label.weight > 0) || label.partner >= 0 || plan::is_token(shown, label)) continue;
    if (plan::is_sampled(shown, label))
      ++sampled;
    else
      places[label.target].push_back(label.at);
  }
  for (const auto& [label, at] : places)
    notes.push_back(at.size() > kMostNamed
                        ? fmt::format("The label {} at {} positions.", label, at.size())
                        : fmt::format("The label {} at position {}.", label, fmt::join(at, ", ")));
  if (sampled > 0)
    notes.push_back(fmt::format(
        "The labels of {} positions belong to tokens that are sampled in training.", sampled));
}

}  // namespace

reports::PreviewedArm previewed(const plan::Preview& preview) {
  reports::PreviewedArm arm{.name = preview.label,
                            .summary = std::string(preview.objective->summary),
                            .source = std::string(preview.objective->source),
                            .examples = {}};
  for (const plan::Preview::Shown& shown : preview.examples) {
    reports::PreviewedArm::Shown example;
    for (const plan::Strips& block : plan::strips(preview, shown)) {
      reports::TokenRows& rows = example.tokens.emplace_back();
      for (std::size_t i = 0; i < block.rows.size(); ++i) {
        if (block.names[i] == "  ids") continue;
        rows.names.push_back(block.names[i]);
        rows.rows.push_back(block.rows[i]);
      }
    }
    const Example& made = shown.example;
    const bool reads = !made.inputs.empty() || !made.targets.empty();
    if (!reads) example.notes.emplace_back("The model reads nothing of this text.");
    if (plan::left_alone(preview, shown))
      example.notes.emplace_back("This text was not transformed: the targets are the text.");
    add_labels(shown, example.notes);
    if (reads) example.sights = sights_of(preview, shown.batch);
    const auto positions =
        static_cast<std::size_t>(std::max(shown.batch.time, shown.batch.source.time));
    if (reads && positions > reports::kMostDrawn)
      example.notes.push_back(fmt::format("Only the first {1} of {0} positions are drawn.",
                                          positions, reports::kMostDrawn));
    arm.examples.push_back(std::move(example));
  }
  return arm;
}

}  // namespace ablate::commands
