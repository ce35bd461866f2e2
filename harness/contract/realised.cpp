// Counting what transforms did.

#include "harness/contract/realised.h"

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"

namespace ablate {
namespace {

constexpr std::string_view kRates[] = {"corruption", "prediction", "mask", "random", "keep"};

/// The text's own tokens in each of its tenths, specials left out.
std::array<std::int64_t, 10> own_tokens(const Text& text) {
  const std::size_t size = text.tokens.size();
  std::array<std::int64_t, 10> tokens{};
  for (std::size_t tenth = 0, i = 0; tenth < 10; ++tenth)
    for (; i * 10 < (tenth + 1) * size; ++i) tokens[tenth] += text.is_special(i) ? 0 : 1;
  return tokens;
}

/// Scored tokens of the text. Special ids and sentinels (all of them above what the text holds) are
/// none.
std::int64_t scored_tokens(const Text& text, const Example& example) {
  Token largest = special_count - 1;
  for (const Token token : text.tokens) largest = std::max(largest, token);
  std::int64_t scored = 0;
  for (std::size_t i = 0; i < example.targets.size(); ++i)
    scored += example.weights[i] > 0 && example.targets[i] >= special_count &&
              example.targets[i] <= largest;
  return scored;
}

/// How many of the hidden tokens were hidden so.
double count_as(const Example& example, HiddenAs how) {
  return static_cast<double>(std::count_if(example.hidden.begin(), example.hidden.end(),
                                           [how](const Hidden& each) { return each.how == how; }));
}

/// The lengths of runs of hidden positions.
std::vector<std::int64_t> runs_of(const Example& example) {
  std::vector<std::int64_t> runs;
  for (std::size_t i = 0; i < example.hidden.size(); ++i)
    if (i > 0 && example.hidden[i].position == example.hidden[i - 1].position + 1)
      ++runs.back();
    else
      runs.push_back(1);
  return runs;
}

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

void Ratio::add(double part, double whole) {
  part_ += part;
  whole_ += whole;
  part_part_ += part * part;
  part_whole_ += part * whole;
  whole_whole_ += whole * whole;
}

Ratio& Ratio::operator+=(const Ratio& other) {
  part_ += other.part_;
  whole_ += other.whole_;
  part_part_ += other.part_part_;
  part_whole_ += other.part_whole_;
  whole_whole_ += other.whole_whole_;
  return *this;
}

double Ratio::error(double expected) const {
  if (empty()) return 0;
  const double squares =
      part_part_ - 2 * expected * part_whole_ + expected * expected * whole_whole_;
  return std::sqrt(std::max(0.0, squares)) / whole_;
}

void Realised::add(const Text& text, const Example& example) {
  ++examples_;
  const std::array<std::int64_t, 10> own = own_tokens(text);
  double tokens = 0;
  for (std::size_t tenth = 0; tenth < 10; ++tenth) {
    tokens_in_tenth_[tenth] += own[tenth];
    tokens += static_cast<double>(own[tenth]);
  }
  for (const Hidden& hidden : example.hidden)
    ++hidden_in_tenth_[static_cast<std::size_t>(hidden.position) * 10 / text.tokens.size()];
  const std::vector<std::int64_t> runs = runs_of(example);
  for (const std::int64_t run : runs) ++spans_[run];

  const auto hidden = static_cast<double>(example.hidden.size());
  const auto add = [&](std::string_view name, double part, double whole) {
    auto found = ratios_.find(name);
    if (found == ratios_.end()) found = ratios_.emplace(std::string(name), Ratio()).first;
    found->second.add(part, whole);
  };
  add("corruption", hidden, tokens);
  add("prediction", static_cast<double>(scored_tokens(text, example)), tokens);
  add("mask", count_as(example, HiddenAs::mask), hidden);
  add("random", count_as(example, HiddenAs::random), hidden);
  add("keep", count_as(example, HiddenAs::keep), hidden);
  if (!runs.empty()) add("mean_span", hidden, static_cast<double>(runs.size()));
  for (const Fact& fact : example.facts) add(fact.name, fact.value, 1);
}

Realised& Realised::operator+=(const Realised& other) {
  examples_ += other.examples_;
  for (const auto& [name, ratio] : other.ratios_) ratios_[name] += ratio;
  for (const auto& [length, count] : other.spans_) spans_[length] += count;
  for (std::size_t i = 0; i < hidden_in_tenth_.size(); ++i) {
    hidden_in_tenth_[i] += other.hidden_in_tenth_[i];
    tokens_in_tenth_[i] += other.tokens_in_tenth_[i];
  }
  return *this;
}

const Ratio* Realised::find(std::string_view name) const {
  const auto found = ratios_.find(name);
  return found == ratios_.end() || found->second.empty() ? nullptr : &found->second;
}

double Realised::corruption() const {
  const Ratio* const ratio = find("corruption");
  return ratio == nullptr ? 0 : ratio->value();
}

double Realised::prediction() const {
  const Ratio* const ratio = find("prediction");
  return ratio == nullptr ? 0 : ratio->value();
}

Json Realised::json() const {
  Json json = Json::object();
  for (const std::string_view rate : kRates) json[std::string(rate)] = 0.0;
  for (const auto& [name, ratio] : ratios_) json[name] = ratio.value();
  json["spans"] = Json::object();
  for (const auto& [length, count] : spans_) json["spans"][std::to_string(length)] = count;
  json["positions"] = Json::array();
  for (std::size_t i = 0; i < hidden_in_tenth_.size(); ++i)
    json["positions"].push_back(share(hidden_in_tenth_[i], tokens_in_tenth_[i]));
  return json;
}

std::string deviation(const std::vector<Intended>& intended, const Realised& realised) {
  for (const Intended& each : intended) {
    const Ratio* const did = realised.find(each.name);
    if (did == nullptr) continue;
    const double accepted = each.tolerance + 5 * did->error(each.value);
    if (std::abs(did->value() - each.value) <= accepted) continue;
    return join("the objective did not do what it states: ", each.name, " was ", did->value(),
                " over ", realised.examples(), " examples, ", each.value, " is intended, within ",
                accepted);
  }
  return {};
}

Json to_json(const std::vector<Intended>& intended) {
  Json json = Json::object();
  for (const Intended& each : intended) json[std::string(each.name)] = each.value;
  return json;
}

}  // namespace ablate
