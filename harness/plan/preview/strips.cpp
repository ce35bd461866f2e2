#include "harness/plan/preview/strips.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

namespace ablate::plan {
namespace {

std::vector<std::string> cells_of(const Preview& preview, const std::vector<Token>& tokens) {
  std::vector<std::string> cells;
  cells.reserve(tokens.size());
  for (const Token token : tokens) cells.push_back(spelled(preview, token));
  return cells;
}

/// The targets that are scored.
std::vector<std::string> scored(const Preview& preview, const Example& example) {
  std::vector<std::string> cells = cells_of(preview, example.targets);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (example.weights[i] <= 0) cells[i].clear();
  return cells;
}

std::vector<std::string> numbers(const std::vector<Token>& tokens) {
  std::vector<std::string> cells;
  cells.reserve(tokens.size());
  for (const Token token : tokens) cells.push_back(std::to_string(token));
  return cells;
}

/// The targets, and a row for each further head that predicts tokens: below the target that the same
/// state predicts. Of a head of several labels, all of them.
Strips targets_of(const Preview& preview, const Preview::Shown& shown) {
  Strips strips;
  const std::size_t places = std::max(shown.example.targets.size(), shown.example.inputs.size());
  if (!shown.example.targets.empty() || shown.example.inputs.empty())
    strips.add("targets", scored(preview, shown.example));
  std::map<std::int32_t, std::vector<std::string>> heads;
  for (const Label& label : shown.example.labels) {
    if (!(label.weight > 0) || !is_token(shown, label)) continue;
    auto& cells = heads.try_emplace(label.head, places).first->second;
    std::string& cell = cells[static_cast<std::size_t>(label.at)];
    if (!cell.empty()) cell += ' ';
    cell += spelled(preview, label.target);
  }
  for (auto& [head, cells] : heads) strips.add(fmt::format("head {}", head + 1), std::move(cells));
  return strips;
}

}  // namespace

void Strips::add(std::string name, std::vector<std::string> cells) {
  names.push_back(std::move(name));
  rows.push_back(std::move(cells));
}

void Strips::append(const Strips& more) {
  for (std::size_t i = 0; i < more.rows.size(); ++i) add(more.names[i], more.rows[i]);
}

std::string spelled(const Preview& preview, Token token) {
  const Vocabulary& vocabulary = preview.vocabulary;
  if (token < vocabulary.end_ordinary() || token >= vocabulary.size())
    return preview.corpus.spelled(token);
  return fmt::format("<S{}>", vocabulary.size() - 1 - token);  // as Vocabulary::sentinel counts
}

const HeadTraits& traits_of(const Preview::Shown& shown, const Label& label) {
  return shown.batch.scored[static_cast<std::size_t>(label.head)].need.traits;
}

bool is_token(const Preview::Shown& shown, const Label& label) {
  return traits_of(shown, label).ahead > 0 || traits_of(shown, label).labels > 1;
}

bool is_sampled(const Preview::Shown& shown, const Label& label) {
  return std::ranges::any_of(shown.example.labels, [&](const Label& other) {
    return other.at == label.at && traits_of(shown, other).fills;
  });
}

bool left_alone(const Preview& preview, const Preview::Shown& shown) {
  const Example& example = shown.example;
  return !preview.intended.empty() && example.inputs.empty() && example.targets == shown.text &&
         (example.shown.empty() || example.shown == shown.text);
}

std::vector<Strips> strips(const Preview& preview, const Preview::Shown& shown) {
  const Example& example = shown.example;
  Strips text, inputs, targets = targets_of(preview, shown);
  text.add("text", cells_of(preview, shown.text));
  text.add("  ids", numbers(shown.text));
  inputs.add("inputs", cells_of(preview, example.inputs));
  inputs.add("  ids", numbers(example.inputs));
  if (example.inputs.size() == shown.text.size() && example.targets.size() == shown.text.size()) {
    text.append(inputs);
    text.append(targets);
    return {text};
  }
  std::vector<Strips> blocks = {text};
  if (!example.inputs.empty() && preview.alignment == Alignment::in_place) {
    inputs.append(targets);
    blocks.push_back(inputs);
    return blocks;
  }
  if (!example.inputs.empty()) blocks.push_back(inputs);
  if (example.targets.empty()) return blocks;
  targets.add("  ids", numbers(example.targets));
  if (!example.shown.empty()) targets.add("shown", cells_of(preview, example.shown));
  blocks.push_back(targets);
  return blocks;
}

}  // namespace ablate::plan
