#include "harness/probes/compression/kneser_ney_spec.h"

#include <algorithm>
#include <cmath>

#include "harness/data/batches/packing.h"

namespace ablate::probes {
namespace {

using Gram = std::array<Token, KneserNey::kMaxOrder>;

/// The tokens as an n-gram. Requires: at most as many as it holds.
Gram gram_of(std::span<const Token> tokens) {
  Gram gram{};
  std::ranges::copy(tokens, gram.begin());
  return gram;
}

/// An n-gram of this order without its last token.
Gram history_of(Gram gram, std::size_t order) {
  gram[order - 1] = 0;
  return gram;
}

/// Every n-gram of the highest order in the documents, by its order; below it, those that start with
/// a begin token. [order - 1]
std::vector<std::vector<Gram>> occurrences_of(std::span<const Token> tokens, std::size_t order) {
  std::vector<std::vector<Gram>> found(order);
  found.back().reserve(tokens.size());
  for (std::size_t first = 0; first < tokens.size();) {
    const std::size_t end = document_end(tokens, first);
    for (std::size_t last = first + 1; last < end; ++last) {
      const std::size_t size = std::min(order, last - first + 1);
      found[size - 1].push_back(gram_of(tokens.subspan(last + 1 - size, size)));
    }
    first = end;
  }
  return found;
}

}  // namespace

Discounts discounts_of(const std::array<double, 4>& counted) {
  const auto [n1, n2, n3, n4] = counted;
  if (!(n1 > 0 && n2 > 0 && n3 > 0)) return {};
  const double y = n1 / (n1 + 2 * n2);
  const Discounts found{1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3, true};
  return found.two > 0 && found.more > 0 ? found : Discounts{};
}

double KneserNey::discount(const Discounts& discounts, std::uint32_t count) {
  return count == 1 ? discounts.one : count == 2 ? discounts.two : discounts.more;
}

/// Counts n-grams of one order, each of which is given as often as it counts.
KneserNey::Level KneserNey::level_of(std::vector<Gram> occurrences, std::size_t order) {
  std::ranges::sort(occurrences);
  Level level;
  std::array<double, 4> counted{};
  for (std::size_t i = 0; i < occurrences.size();) {
    const Gram gram = occurrences[i];
    const std::size_t start = i;
    while (i < occurrences.size() && occurrences[i] == gram) ++i;
    level.grams.push_back(gram);
    level.counts.push_back(static_cast<std::uint32_t>(i - start));
    if (i - start <= counted.size()) ++counted[i - start - 1];
  }
  level.discounts = discounts_of(counted);
  for (std::size_t i = 0; i < level.grams.size();) {
    const Gram history = history_of(level.grams[i], order);
    level.histories.push_back(history);
    level.first.push_back(i);
    double total = 0, discounted = 0;
    for (; i < level.grams.size() && history_of(level.grams[i], order) == history; ++i) {
      total += level.counts[i];
      discounted += discount(level.discounts, level.counts[i]);
    }
    level.totals.push_back(total);
    level.left.push_back(discounted / total);
  }
  level.first.push_back(level.grams.size());
  return level;
}

KneserNey::KneserNey(std::span<const Token> tokens, std::size_t order, std::int64_t vocabulary)
    : levels_(order), uniform_(1 / static_cast<double>(vocabulary)) {
  std::vector<std::vector<Gram>> occurrences = occurrences_of(tokens, order);
  for (std::size_t n = order; n > 0; --n) {
    levels_[n - 1] = level_of(std::move(occurrences[n - 1]), n);
    if (n == 1) break;
    for (const Gram& gram : levels_[n - 1].grams)  // each is one token before what it ends with
      occurrences[n - 2].push_back(gram_of(std::span(gram).subspan(1, n - 1)));
  }
}

double KneserNey::probability(std::span<const Token> history, Token token) const {
  double probability = uniform_;
  for (std::size_t n = 1; n <= levels_.size() && n - 1 <= history.size(); ++n) {
    const Level& level = levels_[n - 1];
    Gram gram = gram_of(history.last(n - 1));
    const auto found = std::ranges::lower_bound(level.histories, gram);
    if (found == level.histories.end() || *found != gram) break;  // nor any longer history
    const auto at = static_cast<std::size_t>(found - level.histories.begin());
    gram[n - 1] = token;
    const auto first = level.grams.begin() + static_cast<std::ptrdiff_t>(level.first[at]);
    const auto last = level.grams.begin() + static_cast<std::ptrdiff_t>(level.first[at + 1]);
    const auto seen = std::lower_bound(first, last, gram);
    probability *= level.left[at];
    if (seen == last || *seen != gram) continue;
    const std::uint32_t count = level.counts[static_cast<std::size_t>(seen - level.grams.begin())];
    probability += (count - discount(level.discounts, count)) / level.totals[at];
  }
  return probability;
}

std::vector<Discounts> KneserNey::discounts() const {
  std::vector<Discounts> all;
  all.reserve(levels_.size());
  for (const Level& level : levels_) all.push_back(level.discounts);
  return all;
}

double code_length(const KneserNey& model, std::span<const std::span<const Token>> documents) {
  double bits = 0;
  for (const std::span<const Token> document : documents)
    for (std::size_t i = 1; i < document.size(); ++i)
      bits -= std::log2(model.probability(document.first(i), document[i]));
  return bits;
}

}  // namespace ablate::probes
