// Counts what transforms did.

#include "harness/contract/realised.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ablate {
namespace {

constexpr std::string_view kRates[] = {"corruption", "prediction", "mask", "random", "keep"};

/// The number of tokens in each tenth of the text, not counting special ones.
std::array<std::int64_t, 10> own_tokens(const Text& text) {
  const std::size_t size = text.tokens.size();
  std::array<std::int64_t, 10> tokens{};
  for (std::size_t tenth = 0, i = 0; tenth < 10; ++tenth)
    for (; i * 10 < (tenth + 1) * size; ++i) tokens[tenth] += text.is_special(i) ? 0 : 1;
  return tokens;
}

/// The number of scored tokens, not counting special ids and sentinels. An id above the largest one
/// in the text is no token of it, and counts as a sentinel.
std::int64_t scored_tokens(const Text& text, const Example& example) {
  Token largest = special_count - 1;
  for (const Token token : text.tokens) largest = std::max(largest, token);
  std::int64_t scored = 0;
  for (std::size_t i = 0; i < example.targets.size(); ++i)
    scored += example.weights[i] > 0 && example.targets[i] >= special_count &&
              example.targets[i] <= largest;
  return scored;
}

/// The number of tokens that were hidden in this way.
double count_as(const Example& example, HiddenAs how) {
  return static_cast<double>(std::count_if(example.hidden.begin(), example.hidden.end(),
                                           [how](const Hidden& each) { return each.how == how; }));
}

/// The lengths of the runs of consecutive hidden positions.
std::vector<std::int64_t> runs_of(const Example& example) {
  std::vector<std::int64_t> runs;
  for (std::size_t i = 0; i < example.hidden.size(); ++i)
    if (i > 0 && example.hidden[i].position == example.hidden[i - 1].position + 1)
      ++runs.back();
    else
      runs.push_back(1);
  return runs;
}

double fraction(std::int64_t count, std::int64_t total) {
  return total > 0 ? static_cast<double>(count) / static_cast<double>(total) : 0;
}

}  // namespace

void Ratio::add(double numerator, double denominator) {
  numerator_ += numerator;
  denominator_ += denominator;
  numerator_squares_ += numerator * numerator;
  products_ += numerator * denominator;
  denominator_squares_ += denominator * denominator;
}

Ratio& Ratio::operator+=(const Ratio& other) {
  numerator_ += other.numerator_;
  denominator_ += other.denominator_;
  numerator_squares_ += other.numerator_squares_;
  products_ += other.products_;
  denominator_squares_ += other.denominator_squares_;
  return *this;
}

double Ratio::error(double expected) const {
  if (empty()) return 0;
  const double squares =
      numerator_squares_ - 2 * expected * products_ + expected * expected * denominator_squares_;
  return std::sqrt(std::max(0.0, squares)) / denominator_;
}

Json Ratio::state() const {
  return {numerator_, denominator_, numerator_squares_, products_, denominator_squares_};
}

Ratio Ratio::from_state(const Json& state) {
  Ratio ratio;
  double* const sums[] = {&ratio.numerator_, &ratio.denominator_, &ratio.numerator_squares_,
                          &ratio.products_, &ratio.denominator_squares_};
  for (std::size_t i = 0; i < std::size(sums); ++i) state.at(i).get_to(*sums[i]);
  return ratio;
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
  const auto scored = static_cast<double>(scored_tokens(text, example));
  add("corruption", hidden, tokens);
  add("prediction", scored, tokens);
  if (!example.maker.empty()) {
    add(fmt::format("corruption_{}", example.maker), hidden, tokens);
    add(fmt::format("prediction_{}", example.maker), scored, tokens);
  }
  add("mask", count_as(example, HiddenAs::mask), hidden);
  add("random", count_as(example, HiddenAs::random), hidden);
  add("keep", count_as(example, HiddenAs::keep), hidden);
  if (!runs.empty()) add("mean_span", hidden, static_cast<double>(runs.size()));
  for (const Fact& fact : example.facts) add(fact.name, fact.value, 1);
}

void Realised::add(std::string_view fact, double sum, double count) {
  auto found = ratios_.find(fact);
  if (found == ratios_.end()) found = ratios_.emplace(std::string(fact), Ratio()).first;
  found->second.add(sum, count);
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
    json["positions"].push_back(fraction(hidden_in_tenth_[i], tokens_in_tenth_[i]));
  return json;
}

Json Realised::state() const {
  Json ratios = Json::object(), spans = Json::array();
  for (const auto& [name, ratio] : ratios_) ratios[name] = ratio.state();
  for (const auto& [length, count] : spans_) spans.push_back({length, count});
  return {{"examples", examples_},
          {"ratios", std::move(ratios)},
          {"spans", std::move(spans)},
          {"hidden", hidden_in_tenth_},
          {"tokens", tokens_in_tenth_}};
}

Realised Realised::from_state(const Json& state) {
  Realised realised;
  state.at("examples").get_to(realised.examples_);
  for (const auto& [name, ratio] : state.at("ratios").items())
    realised.ratios_.emplace(name, Ratio::from_state(ratio));
  for (const Json& span : state.at("spans")) realised.spans_.emplace(span.at(0), span.at(1));
  state.at("hidden").get_to(realised.hidden_in_tenth_);
  state.at("tokens").get_to(realised.tokens_in_tenth_);
  return realised;
}

std::string deviation(const std::vector<Intended>& intended, const Realised& realised) {
  for (const Intended& each : intended) {
    const Ratio* const did = realised.find(each.name);
    if (did == nullptr) continue;
    const double accepted = each.tolerance + 5 * did->error(each.value);
    const double surplus = did->value() - each.value;
    if ((each.at_most ? surplus : std::abs(surplus)) <= accepted) continue;
    return fmt::format(
        "the objective did not do what it states: {} was {:g} over {} examples, {}{:g} is "
        "intended, within {:g}",
        each.name, did->value(), realised.examples(), each.at_most ? "at most " : "", each.value,
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
