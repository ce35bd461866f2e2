// Reads, checks and makes the candidates of a swept path.

#include "harness/plan/file/candidates.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>

namespace ablate::plan {
namespace {

enum class Maker { none, linspace, logspace, range };

struct Recipe {
  Maker maker = Maker::none;
  double first = 0;
  double last = 0;
  double third = 0;  // a count or a step
};

Recipe recipe_of(const Json& given) {
  if (!given.is_object() || given.size() != 1) return {};
  const std::string& name = given.begin().key();
  const Json& numbers = given.begin().value();
  if (!numbers.is_array() || numbers.size() != 3) return {};
  for (const Json& number : numbers)
    if (!number.is_number()) return {};
  Recipe recipe{Maker::none, numbers[0].get<double>(), numbers[1].get<double>(),
                numbers[2].get<double>()};
  if (name == "linspace") recipe.maker = Maker::linspace;
  if (name == "logspace" && recipe.first > 0 && recipe.last > 0) recipe.maker = Maker::logspace;
  if (name == "range" && recipe.third != 0 && (recipe.last - recipe.first) / recipe.third >= 0)
    recipe.maker = Maker::range;
  const bool counts = recipe.maker == Maker::linspace || recipe.maker == Maker::logspace;
  if (counts && (recipe.third < 2 || recipe.third != std::floor(recipe.third)))
    recipe.maker = Maker::none;
  return recipe;
}

/// Rounds to 12 digits, so that 0.1 + 2 * 0.1 is 0.3. Integral values become integers.
Json rounded(double value) {
  const double clean = std::strtod(fmt::format("{:.12g}", value).c_str(), nullptr);
  if (clean == std::floor(clean) && std::abs(clean) < 0x1.0p53)
    return static_cast<std::int64_t>(clean);
  return clean;
}

}  // namespace

double count_candidates(const Json& given) {
  if (given.is_array()) return static_cast<double>(given.size());
  const Recipe recipe = recipe_of(given);
  if (recipe.maker == Maker::none) return 0;
  if (recipe.maker != Maker::range) return recipe.third;
  return std::floor((recipe.last - recipe.first) / recipe.third + 1e-9) + 1;
}

std::vector<Json> candidates(const Json& given) {
  if (given.is_array()) return given;
  const Recipe recipe = recipe_of(given);
  const auto count = static_cast<std::int64_t>(count_candidates(given));
  std::vector<Json> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<double>(i);
    const double fraction = recipe.maker == Maker::range ? 0 : index / (recipe.third - 1);
    switch (recipe.maker) {
      case Maker::linspace:
        values.push_back(rounded(recipe.first + (recipe.last - recipe.first) * fraction));
        break;
      case Maker::logspace:
        values.push_back(rounded(recipe.first * std::pow(recipe.last / recipe.first, fraction)));
        break;
      case Maker::range:
        values.push_back(rounded(recipe.first + recipe.third * index));
        break;
      case Maker::none:
        break;
    }
  }
  return values;
}

std::string refusal_of_candidates(const Json& given) {
  const double count = count_candidates(given);
  if (given.is_array() && given.empty()) return "an empty list of candidates";
  if (count == 0)
    return "candidates are a list of values, {\"linspace\": [from, to, count]}, {\"logspace\": "
           "[from, to, count]} with both ends above 0, or {\"range\": [from, to, step]}";
  if (count > kMaxCandidates)
    return fmt::format("a sweep over {:g} candidates; at most {:g} are accepted", count,
                       kMaxCandidates);
  return "";
}

}  // namespace ablate::plan
