// Builds the chain of the built-in language.

#include "harness/data/language/language_chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/shuffle.h"

namespace ablate::data {
namespace {

using Size = std::size_t;
using Matrix = std::vector<double>;  // row-major

// Words of one state differ in weight less than transitions do.
constexpr double kWordSpread = 0.4;

void scale_rows(Matrix& matrix, Size n) {
  for (Size row = 0; row < n; ++row) {
    double* here = matrix.data() + row * n;
    const double scale = 1 / std::accumulate(here, here + n, 0.0);
    for (Size column = 0; column < n; ++column) here[column] *= scale;
  }
}

/// Scales every column to a sum of 1; returns the largest deviation from it before.
double scale_columns(Matrix& matrix, Size n) {
  std::vector<double> scales(n, 0.0);
  for (Size row = 0; row < n; ++row)
    for (Size column = 0; column < n; ++column) scales[column] += matrix[row * n + column];
  double farthest = 0;
  for (double& scale : scales) {
    farthest = std::max(farthest, std::abs(scale - 1));
    scale = 1 / scale;
  }
  for (Size row = 0; row < n; ++row)
    for (Size column = 0; column < n; ++column) matrix[row * n + column] *= scales[column];
  return farthest;
}

/// Normal noise with a part common to all topics and a part specific to each topic.
class Noise {
 public:
  Noise(double own_share, Rng common, Rng own)
      : common_weight_(std::sqrt(1 - own_share)),
        own_weight_(std::sqrt(own_share)),
        common_(common),
        own_(own) {}

  Noise fork(std::uint64_t index) const {
    Noise forked = *this;
    forked.common_ = common_.fork(index);
    forked.own_ = own_.fork(index);
    return forked;
  }

  double normal() {
    const double common = common_.normal();
    return common_weight_ * common + own_weight_ * own_.normal();
  }

  Rng& common() { return common_; }

 private:
  double common_weight_, own_weight_;
  Rng common_, own_;
};

Matrix state_law(const Dials& dials, Noise noise) {
  const auto n = static_cast<Size>(dials.regular());
  Matrix weights(n * n);
  for (double& weight : weights) weight = std::exp(dials.sharpness * noise.normal());
  return doubly_stochastic(std::move(weights), n);
}

/// Transitions of one topic within a block, [block states, block states].
Matrix transitions(const Dials& dials, const Noise& noise) {
  const auto n = static_cast<Size>(dials.block_states());
  const auto states = static_cast<Size>(dials.states), regular = static_cast<Size>(dials.regular());
  Matrix matrix(n * n, 0.0);
  for (Size stage = 0; stage < static_cast<Size>(dials.stages); ++stage) {
    const Size first = stage * states;
    const Matrix distribution = state_law(dials, noise.fork(stage));
    for (Size from = 0; from < regular; ++from) {
      double* row = matrix.data() + (first + from) * n;
      const double on = (1 - dials.ends_after_token()) * (1 - dials.sentence_ends());
      for (Size to = 0; to < regular; ++to)
        row[first + to] = on * (1 - dials.memory) * distribution[from * regular + to];
      row[first + from] += on * dials.memory;
      if (dials.has_sentences()) row[first + regular] = dials.sentence_ends();
      row[n - 1] = dials.ends_after_token();
    }
    if (!dials.has_sentences()) continue;
    double* row = matrix.data() + (first + regular) * n;
    const bool last = stage + 1 == static_cast<Size>(dials.stages);
    const double on = (1 - dials.ends_after_sentence()) / static_cast<double>(regular);
    const double advance = last ? 0 : dials.advances();
    for (Size to = 0; to < regular; ++to) {
      row[first + to] = on * (1 - advance);
      if (!last) row[first + states + to] = on * advance;
    }
    row[n - 1] = dials.ends_after_sentence();
  }
  return matrix;
}

/// Puts the patches before the text: the first one starts a document, each is followed by the next, and
/// the last one by where texts `start`, which becomes where documents do. `transition`: of a block.
void put_patches_first(const Dials& dials, Matrix& transition, std::vector<double>& start) {
  if (dials.patches == 0) return;
  const Size n = start.size(), first = static_cast<Size>(dials.text_states()), end = n - 1;
  for (Size patch = first; patch + 1 < end; ++patch) transition[patch * n + patch + 1] = 1;
  std::ranges::copy(start, transition.begin() + static_cast<std::ptrdiff_t>((end - 1) * n));
  std::ranges::fill(start, 0.0);
  start[first] = 1;
}

/// The words of the states that emit words: each word has one state, and a fraction of them a
/// second. [word states, vocabulary], rows sum to 1.
Matrix word_emissions(const Dials& dials, Noise noise) {
  const auto words = static_cast<Size>(dials.words()), width = static_cast<Size>(dials.vocabulary);
  const auto states = dials.regular() - dials.slots();
  Matrix matrix(static_cast<Size>(states) * width, 0.0);
  for (Size word = 0; word < words; ++word) {
    const Size home = word % static_cast<Size>(states);
    matrix[home * width + word] = std::exp(dials.sharpness * kWordSpread * noise.normal());
    const bool shared = noise.common().probability(dials.ambiguity) && states > 1;
    const auto other =
        static_cast<Size>(noise.common().below(std::max<std::int64_t>(1, states - 1)));
    const double weight = std::exp(dials.sharpness * kWordSpread * noise.normal());
    if (shared) matrix[(other < home ? other : other + 1) * width + word] = weight;
  }
  for (Size state = 0; state < static_cast<Size>(states); ++state) {
    double* row = matrix.data() + state * width;
    const double total = std::accumulate(row, row + width, 0.0);
    for (Size word = 0; word < width; ++word) row[word] /= total;
  }
  return matrix;
}

/// The patch that a document's picture shows at a place where no noise hides it: even places show the
/// topic, and odd ones the name, if there are names. Two of them look alike at a place only where there
/// are more of them than values.
Size shown_patch(const Dials& dials, std::int64_t topic, std::int64_t name, std::int64_t place) {
  const bool of_name = dials.has_names() && place % 2 == 1;
  const Rng rng = Rng(dials.seed, Stream::language).fork("picture");
  const auto values = static_cast<Size>(dials.patch_values);
  return random_order(values, rng.fork(static_cast<std::uint64_t>(place)))
      .at(static_cast<Size>(of_name ? name : topic) % values);
}

/// Emissions of one block, [block states, ordinary].
Matrix emissions(const Dials& dials, std::int64_t topic, std::int64_t name, const Noise& noise) {
  const auto width = static_cast<Size>(dials.vocabulary), all = static_cast<Size>(dials.ordinary());
  const auto slots = static_cast<Size>(dials.slots());
  const Matrix words = word_emissions(dials, noise);
  Matrix matrix(static_cast<Size>(dials.block_states()) * all, 0.0);
  for (Size state = 0; state < static_cast<Size>(dials.text_states()); ++state) {
    double* row = matrix.data() + state * all;
    const Size place = state % static_cast<Size>(dials.states);
    if (dials.ends_sentence(static_cast<std::int64_t>(state)))
      row[width - 1] = 1;
    else if (place < slots)
      row[static_cast<Size>(dials.word_of_name(name))] = 1;
    else
      std::copy_n(words.begin() + static_cast<std::ptrdiff_t>((place - slots) * width), width, row);
    for (Size word = 0; word < width; ++word)
      row[word] = (1 - dials.floor) * row[word] + dials.floor / static_cast<double>(width);
  }
  for (std::int64_t place = 0; place < dials.patches; ++place) {
    double* row = matrix.data() + static_cast<Size>(dials.text_states() + place) * all + width;
    std::fill_n(row, all - width, dials.patch_noise / static_cast<double>(dials.patch_values));
    row[shown_patch(dials, topic, name, place)] += 1 - dials.patch_noise;
  }
  return matrix;
}

/// The mean number of visits of a document to each state: solves x = start + x transition by
/// elimination. No pivoting is needed: the rows of 1 - transition are diagonally dominant.
std::vector<double> visits(const Matrix& transition, std::vector<double> start) {
  const Size n = start.size();
  Matrix left(n * n);  // (1 - transition), transposed
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < n; ++j) left[i * n + j] = (i == j ? 1 : 0) - transition[j * n + i];
  for (Size pivot = 0; pivot < n; ++pivot)
    for (Size row = pivot + 1; row < n; ++row) {
      const double factor = left[row * n + pivot] / left[pivot * n + pivot];
      if (factor == 0) continue;
      for (Size column = pivot; column < n; ++column)
        left[row * n + column] -= factor * left[pivot * n + column];
      start[row] -= factor * start[pivot];
    }
  for (Size row = n; row-- > 0;) {
    for (Size column = row + 1; column < n; ++column)
      start[row] -= left[row * n + column] * start[column];
    start[row] /= left[row * n + row];
  }
  return start;
}

void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::vector<double> doubly_stochastic(std::vector<double> weights, std::size_t n) {
  constexpr int kMaxRounds = 20000;
  for (int round = 0; round < kMaxRounds; ++round) {
    scale_rows(weights, n);
    if (scale_columns(weights, n) < 1e-14) break;
  }
  scale_rows(weights, n);
  return weights;
}

Chain make_chain(const Dials& dials) {
  const Rng rng(dials.seed, Stream::language);
  const double own_order = dials.topics_differ_in_words ? 0 : dials.topic_contrast;
  const double own_words = dials.topics_differ_in_words ? dials.topic_contrast : 0;
  const auto n = static_cast<Size>(dials.block_states());
  std::vector<double> text_start(n, 0.0);
  std::fill_n(text_start.begin(), dials.regular(), 1 / static_cast<double>(dials.regular()));

  Chain chain;
  chain.ordinary = static_cast<Token>(dials.ordinary());
  chain.states = dials.block_states();
  chain.patches = dials.patches;
  for (std::int64_t state = 0; state < chain.states; ++state)
    chain.sentence_ends.push_back(dials.ends_sentence(state));
  const double probability = 1 / static_cast<double>(dials.topics * dials.names);
  double tokens = 0;  // of a document, on average
  for (std::int64_t topic = 0; topic < dials.topics; ++topic) {
    const Rng own = rng.fork("topic").fork(static_cast<std::uint64_t>(topic));
    const Noise order(own_order, rng.fork("order"), own.fork("order"));
    const Noise words(own_words, rng.fork("words"), own.fork("words"));
    Matrix transition = transitions(dials, order);
    std::vector<double> start = text_start;
    put_patches_first(dials, transition, start);
    std::vector<double> visited = visits(transition, start);
    for (double& visit : visited) visit *= probability;
    const double mass = std::accumulate(visited.begin(), visited.end(), 0.0);
    for (std::int64_t name = 0; name < dials.names; ++name) {
      chain.blocks.push_back(
          {static_cast<std::int32_t>(topic), static_cast<std::int32_t>(name), probability, mass});
      append(chain.start, start);
      append(chain.stationary, visited);
      append(chain.transition, transition);
      append(chain.emission, emissions(dials, topic, name, words));
      tokens += mass;
    }
  }
  for (Chain::Block& block : chain.blocks) block.mass /= tokens;
  for (double& visit : chain.stationary) visit /= tokens;
  return chain;
}

}  // namespace ablate::data
