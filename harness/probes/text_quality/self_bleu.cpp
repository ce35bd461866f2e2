#include "harness/probes/text_quality/self_bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

namespace ablate::probes {
namespace {

constexpr std::size_t kOrders = 4;
constexpr double kSmoothing = 0.1;  // in place of a count of 0

using Ngram = std::vector<Token>;
using Counts = std::map<Ngram, double>;

std::vector<Token> ordinary_of(const std::vector<Token>& text) {
  std::vector<Token> kept;
  for (const Token token : text)
    if (token >= special_count) kept.push_back(token);
  return kept;
}

Counts counts_of(const std::vector<Token>& text, std::size_t order) {
  Counts counts;
  for (std::size_t i = 0; i + order <= text.size(); ++i)
    ++counts[Ngram(text.begin() + static_cast<std::ptrdiff_t>(i),
                   text.begin() + static_cast<std::ptrdiff_t>(i + order))];
  return counts;
}

/// The two largest counts of an n-gram in single texts: the largest among the others is the second
/// where a text has the first itself.
struct Largest {
  double first = 0, second = 0;

  void add(double count) {
    if (count > first) std::swap(count, first);
    second = std::max(second, count);
  }

  double without(double own) const { return own < first ? first : second; }
};

/// log of the modified precision of each text against all others.
std::vector<double> log_precisions(const std::vector<std::vector<Token>>& texts,
                                   std::size_t order) {
  std::vector<Counts> counts;
  std::map<Ngram, Largest> largest;
  for (const std::vector<Token>& text : texts) {
    counts.push_back(counts_of(text, order));
    for (const auto& [ngram, count] : counts.back()) largest[ngram].add(count);
  }
  std::vector<double> logs;
  for (const Counts& own : counts) {
    double shared = 0, total = 0;
    for (const auto& [ngram, count] : own) {
      total += count;
      shared += std::min(count, largest[ngram].without(count));
    }
    logs.push_back(std::log((shared > 0 ? shared : kSmoothing) / std::max(1.0, total)));
  }
  return logs;
}

/// log of the brevity penalty of text `i`, at most 0.
double log_brevity(const std::vector<std::vector<Token>>& texts, std::size_t i) {
  const auto own = static_cast<double>(texts[i].size());
  double closest = -1;
  for (std::size_t j = 0; j < texts.size(); ++j) {
    if (j == i) continue;
    const auto other = static_cast<double>(texts[j].size());
    const double distance = std::abs(other - own), best = std::abs(closest - own);
    if (closest < 0 || distance < best || (distance == best && other < closest)) closest = other;
  }
  return own >= closest || own == 0 ? 0 : 1 - closest / own;
}

}  // namespace

double self_bleu(std::span<const std::vector<Token>> texts) {
  if (texts.size() < 2) return 0;
  std::vector<std::vector<Token>> kept;
  for (const std::vector<Token>& text : texts) kept.push_back(ordinary_of(text));
  std::vector<double> logs(kept.size(), 0.0);
  for (std::size_t order = 1; order <= kOrders; ++order) {
    const std::vector<double> of_order = log_precisions(kept, order);
    for (std::size_t i = 0; i < logs.size(); ++i) logs[i] += of_order[i] / kOrders;
  }
  double sum = 0;
  for (std::size_t i = 0; i < logs.size(); ++i)
    if (!kept[i].empty()) sum += std::exp(logs[i] + log_brevity(kept, i));
  return sum / static_cast<double>(kept.size());
}

}  // namespace ablate::probes
