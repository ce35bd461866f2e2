// Counting what transforms did.

#include "harness/contract/realised.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/error.h"

namespace ablate {
namespace {

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::int64_t sum(const auto& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace

void Realised::add(const Text& text, const Example& example) {
  const std::size_t size = text.tokens.size();
  Token largest = special_count - 1;
  for (std::size_t tenth = 0, i = 0; tenth < 10; ++tenth) {
    std::int64_t own = 0;
    for (; i * 10 < (tenth + 1) * size; ++i) {
      own += text.is_special(i) ? 0 : 1;
      largest = std::max(largest, text.tokens[i]);
    }
    tokens_in_tenth_[tenth] += own;
    tokens_ += own;
  }

  // Special ids and sentinels (all of them above what the text holds) are no tokens of the text.
  for (std::size_t i = 0; i < example.targets.size(); ++i)
    scored_ += example.weights[i] > 0 && example.targets[i] >= special_count &&
               example.targets[i] <= largest;

  ++examples_;
  for (const Fact& fact : example.facts) {
    Mean& mean = facts_.try_emplace(std::string(fact.name)).first->second;
    mean.sum += fact.value;
    ++mean.count;
  }

  std::int64_t run = 0;
  for (std::size_t i = 0; i < example.hidden.size(); ++i) {
    const Hidden& hidden = example.hidden[i];
    ++hidden_[static_cast<std::size_t>(hidden.how)];
    ++hidden_in_tenth_[static_cast<std::size_t>(hidden.position) * 10 / size];
    ++run;
    if (i + 1 < example.hidden.size() && example.hidden[i + 1].position == hidden.position + 1)
      continue;
    ++spans_[run];
    run = 0;
  }
}

Realised& Realised::operator+=(const Realised& other) {
  examples_ += other.examples_;
  for (const auto& [name, mean] : other.facts_) {
    Mean& own = facts_[name];
    own.sum += mean.sum;
    own.count += mean.count;
  }
  tokens_ += other.tokens_;
  scored_ += other.scored_;
  for (std::size_t i = 0; i < hidden_.size(); ++i) hidden_[i] += other.hidden_[i];
  for (const auto& [length, count] : other.spans_) spans_[length] += count;
  for (std::size_t i = 0; i < hidden_in_tenth_.size(); ++i) {
    hidden_in_tenth_[i] += other.hidden_in_tenth_[i];
    tokens_in_tenth_[i] += other.tokens_in_tenth_[i];
  }
  return *this;
}

double Realised::corruption() const { return share(sum(hidden_), tokens_); }
double Realised::prediction() const { return share(scored_, tokens_); }

Json Realised::json() const {
  const std::int64_t hidden = sum(hidden_);
  const auto shown_as = [&](HiddenAs how) {
    return share(hidden_[static_cast<std::size_t>(how)], hidden);
  };
  Json spans = Json::object();
  for (const auto& [length, count] : spans_) spans[std::to_string(length)] = count;
  Json positions = Json::array();
  for (std::size_t i = 0; i < hidden_in_tenth_.size(); ++i)
    positions.push_back(share(hidden_in_tenth_[i], tokens_in_tenth_[i]));
  Json json = {{"corruption", corruption()},
               {"prediction", prediction()},
               {"mask", shown_as(HiddenAs::mask)},
               {"random", shown_as(HiddenAs::random)},
               {"keep", shown_as(HiddenAs::keep)},
               {"spans", spans},
               {"positions", positions}};
  std::int64_t runs = 0;
  for (const auto& [length, count] : spans_) runs += count;
  if (runs > 0) json["mean_span"] = share(hidden, runs);
  for (const auto& [name, mean] : facts_) json[name] = mean.sum / static_cast<double>(mean.count);
  return json;
}

std::string deviation(const std::vector<Intended>& intended, const Realised& realised) {
  const Json did = realised.json();
  const auto draws = static_cast<double>(std::max<std::int64_t>(1, realised.examples()));
  for (const Intended& each : intended) {
    const Json found = did.value(std::string(each.name), Json());
    if (!found.is_number()) continue;  // nothing could be said of it
    // The variance of a fraction; a count's is taken for that of a Poisson law, and more.
    const double variance =
        each.value <= 1 ? each.value * (1 - each.value) : each.value * (each.value + 1);
    const double accepted = each.tolerance + 5 * std::sqrt(std::max(0.0, variance) / draws);
    const double realised_value = found.get<double>();
    if (std::abs(realised_value - each.value) <= accepted) continue;
    return join("the objective did not do what it states: ", each.name, " was ", realised_value,
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
