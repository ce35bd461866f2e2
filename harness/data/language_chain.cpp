// The built-in language's chain, built from its dials.

#include "harness/data/language_chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/error.h"

namespace ablate {
namespace {

using Size = std::size_t;
using Matrix = std::vector<double>;  // row-major

constexpr std::int64_t kMostEntries = 1 << 23;  // of all transitions, and of all emissions
constexpr std::int64_t kMostEliminations = 1 << 30;

// Words of one state differ in weight less than transitions do.
constexpr double kWordSpread = 0.4;

void scale_rows(Matrix& matrix, Size n) {
  for (Size row = 0; row < n; ++row) {
    double* here = matrix.data() + row * n;
    const double total = std::accumulate(here, here + n, 0.0);
    for (Size column = 0; column < n; ++column) here[column] /= total;
  }
}

/// Scales every column to a sum of 1; returns how far the farthest was from it.
double scale_columns(Matrix& matrix, Size n) {
  std::vector<double> totals(n, 0.0);
  for (Size i = 0; i < matrix.size(); ++i) totals[i % n] += matrix[i];
  double farthest = 0;
  for (const double total : totals) farthest = std::max(farthest, std::abs(total - 1));
  for (Size i = 0; i < matrix.size(); ++i) matrix[i] /= totals[i % n];
  return farthest;
}

/// Transitions of one topic within a block, [block states, block states].
Matrix transitions(const Dials& dials, Rng rng) {
  const auto n = static_cast<Size>(dials.block_states());
  const auto states = static_cast<Size>(dials.states), regular = static_cast<Size>(dials.regular());
  Matrix matrix(n * n, 0.0);
  for (Size stage = 0; stage < static_cast<Size>(dials.stages); ++stage) {
    const Size first = stage * states;
    const Matrix law = doubly_stochastic(dials.regular(), dials.sharpness, rng.fork(stage));
    for (Size from = 0; from < regular; ++from) {
      double* row = matrix.data() + (first + from) * n;
      const double on = (1 - dials.ends_after_token()) * (1 - dials.sentence_ends());
      for (Size to = 0; to < regular; ++to)
        row[first + to] = on * (1 - dials.memory) * law[from * regular + to];
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

/// The words of the states that emit words: every word has one, and a share of them a second one.
/// [word states, vocabulary], rows sum to 1.
Matrix word_emissions(const Dials& dials, Rng rng) {
  const auto words = static_cast<Size>(dials.words()), width = static_cast<Size>(dials.vocabulary);
  const auto states = dials.regular() - dials.slots();
  Matrix matrix(static_cast<Size>(states) * width, 0.0);
  for (Size word = 0; word < words; ++word) {
    const Size home = word % static_cast<Size>(states);
    matrix[home * width + word] = std::exp(dials.sharpness * kWordSpread * rng.normal());
    const bool shared = rng.chance(dials.ambiguity) && states > 1;
    const auto other = static_cast<Size>(rng.below(std::max<std::int64_t>(1, states - 1)));
    const double weight = std::exp(dials.sharpness * kWordSpread * rng.normal());
    if (shared) matrix[(other < home ? other : other + 1) * width + word] = weight;
  }
  for (Size state = 0; state < static_cast<Size>(states); ++state) {
    double* row = matrix.data() + state * width;
    const double total = std::accumulate(row, row + width, 0.0);
    for (Size word = 0; word < width; ++word) row[word] /= total;
  }
  return matrix;
}

/// Emissions of one block, [block states, vocabulary].
Matrix emissions(const Dials& dials, std::int64_t name, Rng rng) {
  const auto width = static_cast<Size>(dials.vocabulary);
  const auto slots = static_cast<Size>(dials.slots());
  const Matrix words = word_emissions(dials, rng);
  Matrix matrix(static_cast<Size>(dials.block_states()) * width, 0.0);
  for (Size state = 0; state + 1 < static_cast<Size>(dials.block_states()); ++state) {
    double* row = matrix.data() + state * width;
    const Size place = state % static_cast<Size>(dials.states);
    if (dials.ends_sentence(static_cast<std::int64_t>(state)))
      row[width - 1] = 1;
    else if (place < slots)
      row[static_cast<Size>(dials.words() + name)] = 1;
    else
      std::copy_n(words.begin() + static_cast<std::ptrdiff_t>((place - slots) * width), width, row);
    for (Size word = 0; word < width; ++word)
      row[word] = (1 - dials.floor) * row[word] + dials.floor / static_cast<double>(width);
  }
  return matrix;
}

/// How often a document visits each state, on average: x = start + x transition, by elimination
/// (no pivots are needed: the rows of 1 - transition are diagonally dominant).
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

void check(const Dials& dials) {
  if (dials.has_sentences() && dials.sentence_length < 2)
    reject("sentence_length = ", dials.sentence_length,
           " leaves no room for a word and the sentence's end; accepted: 0 (no sentences), or 2 "
           "and more");
  if (dials.has_sentences() && dials.document_length < dials.sentence_length + 1)
    reject("document_length = ", dials.document_length, " is shorter than one sentence of ",
           dials.sentence_length,
           " tokens and the document's end; lengthen documents, or shorten "
           "sentences (0: no sentences)");
  if (dials.stages > 1 && !dials.has_sentences())
    reject("stages = ", dials.stages,
           " advance at sentence ends, and sentence_length = 0 means that "
           "there are none; give sentences a length, or set stages to 1");
  const std::int64_t needed = dials.slots() + 1 + (dials.has_sentences() ? 1 : 0);
  if (dials.states < needed)
    reject("states = ", dials.states, " are too few; with these names and sentences at least ",
           needed, " are needed: one for names, one for sentence ends, one for words");
  if (dials.words() < dials.regular() - dials.slots())
    reject(
        "vocabulary = ", dials.vocabulary, " leaves ", std::max<std::int64_t>(0, dials.words()),
        " words beside names and the sentence end for ", dials.regular() - dials.slots(),
        " states that emit words; at least one word each is needed: enlarge vocabulary, or lower "
        "states or names");
  const std::int64_t blocks = dials.topics * dials.names, n = dials.block_states();
  if (blocks * n * std::max(n, dials.vocabulary) > kMostEntries ||
      dials.topics * n * n * n > kMostEliminations)
    reject("the language is too large: ", blocks, " pairs of topic and name with ", n,
           " states and ", dials.vocabulary,
           " words; pairs x states x the larger of states and words may be at most ", kMostEntries,
           ", topics x states^3 at most ", kMostEliminations, "; lower one of them");
}

}  // namespace

std::int64_t Dials::slots() const {
  return has_names() ? std::max<std::int64_t>(1, regular() / 6) : 0;
}

std::int64_t Dials::words() const {
  return vocabulary - (has_names() ? names : 0) - (has_sentences() ? 1 : 0);
}

double Dials::ends_after_sentence() const { return sentence_length / (document_length - 1); }
double Dials::ends_after_token() const { return has_sentences() ? 0 : 1 / (document_length - 1); }
double Dials::sentence_ends() const { return has_sentences() ? 1 / (sentence_length - 1) : 0; }

double Dials::advances() const {
  return std::min(1.0, static_cast<double>(stages) * ends_after_sentence());
}

Dials dials_of(const Params& params) {
  Dials dials;
  dials.topics = params.integer("topics");
  dials.names = params.integer("names");
  dials.stages = params.integer("stages");
  dials.states = params.integer("states");
  dials.vocabulary = params.integer("vocabulary");
  dials.sharpness = params.number("sharpness");
  dials.memory = params.number("memory");
  dials.ambiguity = params.number("ambiguity");
  dials.floor = params.number("floor");
  dials.topics_differ_in_words = params.text("topic_signal") == "words";
  dials.document_length = params.number("document_length");
  dials.sentence_length = params.number("sentence_length");
  dials.seed = static_cast<std::uint64_t>(params.integer("seed"));
  check(dials);
  return dials;
}

std::vector<double> doubly_stochastic(std::int64_t states, double sharpness, Rng rng) {
  constexpr int kMostRounds = 20000;
  const auto n = static_cast<Size>(states);
  Matrix matrix(n * n);
  for (double& entry : matrix) entry = std::exp(sharpness * rng.normal());
  for (int round = 0; round < kMostRounds; ++round) {
    scale_rows(matrix, n);
    if (scale_columns(matrix, n) < 1e-14) break;
  }
  scale_rows(matrix, n);
  return matrix;
}

Chain make_chain(const Dials& dials) {
  const Rng rng(dials.seed, Stream::language);
  const Rng shared = rng.fork("shared");
  const auto n = static_cast<Size>(dials.block_states());
  std::vector<double> start(n, 0.0);
  std::fill_n(start.begin(), dials.regular(), 1 / static_cast<double>(dials.regular()));

  Chain chain;
  chain.ordinary = static_cast<Token>(dials.vocabulary);
  chain.states = dials.block_states();
  const double share = 1 / static_cast<double>(dials.topics * dials.names);
  double tokens = 0;  // of a document, on average
  for (std::int64_t topic = 0; topic < dials.topics; ++topic) {
    const Rng own = rng.fork("topic").fork(static_cast<std::uint64_t>(topic));
    const bool words = dials.topics_differ_in_words;
    const Matrix transition = transitions(dials, (words ? shared : own).fork("transition"));
    std::vector<double> visited = visits(transition, start);
    for (double& visit : visited) visit *= share;
    const double mass = std::accumulate(visited.begin(), visited.end(), 0.0);
    for (std::int64_t name = 0; name < dials.names; ++name) {
      chain.blocks.push_back(
          {static_cast<std::int32_t>(topic), static_cast<std::int32_t>(name), share, mass});
      append(chain.start, start);
      append(chain.stationary, visited);
      append(chain.transition, transition);
      append(chain.emission, emissions(dials, name, (words ? own : shared).fork("emission")));
      tokens += mass;
    }
  }
  for (Chain::Block& block : chain.blocks) block.mass /= tokens;
  for (double& visit : chain.stationary) visit /= tokens;
  return chain;
}

}  // namespace ablate
