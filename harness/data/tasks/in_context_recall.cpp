// Recall in context: keys come again in a stream of pairs, with the value that they have in this text.
//
//   k1 v5 k4 v2 k1 v5 k0 v7 k4 v2    values of keys that came before are answers
//
// Noisy: some pairs are two words of noise. Fuzzy: keys and values have one to `longest` words, filled up
// from the left with blanks.
//
// Source: Poli et al. 2024, "Mechanistic Design and Scaling of Hybrid Architectures", arXiv:2403.17844,
// appendix B; athms/mad-lab at 49f0a45. There all tokens are trained on and the marked ones are tested.

#include <fmt/core.h>

#include <cmath>
#include <map>

#include "harness/data/tasks/task.h"

namespace ablate::data {
namespace {

using Words = std::vector<std::int64_t>;

struct Dials {
  std::int64_t keys, values, longest, distinct_keys, noise_words;
  double noise;

  // Numbers of words: keys from 0, then these.
  std::int64_t first_value() const { return keys; }
  std::int64_t first_noise() const { return keys + values; }
  std::int64_t blank() const { return keys + values + noise_words; }
};

Dials dials_of(const Params& dials) {
  return {dials.integer("keys"),     dials.integer("values"),      dials.integer("longest"),
          dials.integer("distinct"), dials.integer("noise_words"), dials.number("noise")};
}

/// The number of strings of one to `longest` distinct words of an alphabet.
double strings(std::int64_t alphabet, std::int64_t longest) {
  double count = 0;
  for (std::int64_t length = 1; length <= longest; ++length)
    count += std::exp(log_arrangements(alphabet, length));
  return count;
}

std::string refusal(const Params& params, std::int64_t) {
  const Dials dials = dials_of(params);
  if (dials.longest > std::min(dials.keys, dials.values))
    return fmt::format("strings of {} distinct words need as many keys and values", dials.longest);
  // Half of them at most, so that drawing distinct ones ends soon.
  const double most = strings(dials.keys, dials.longest);
  if (static_cast<double>(dials.distinct_keys) > most * (dials.longest == 1 ? 1 : 0.5))
    return fmt::format("{} distinct keys of {} that there are; give more keys, or fewer distinct",
                       dials.distinct_keys, most);
  return {};
}

std::vector<std::string> words(const Params& params) {
  const Dials dials = dials_of(params);
  std::vector<std::string> all;
  add_words(all, "k", dials.keys);
  add_words(all, "v", dials.values);
  add_words(all, "n", dials.noise_words);
  all.push_back("_");
  return all;
}

std::int64_t length(const Params& params, std::int64_t pairs) {
  return 2 + 2 * pairs * params.integer("longest");
}

double chance(const Params& params) { return 1 / static_cast<double>(params.integer("values")); }

/// A string of an alphabet: its length is uniform, and so are its words.
Words string_of(std::int64_t alphabet, std::int64_t longest, Rng& rng) {
  const std::int64_t length = 1 + rng.below(longest);
  return distinct(length, alphabet, rng);
}

/// -log of the probability that string_of() gives a string of that length.
double string_nats(std::int64_t alphabet, std::int64_t longest, std::size_t length) {
  return std::log(static_cast<double>(longest)) +
         log_arrangements(alphabet, static_cast<std::int64_t>(length));
}

/// The keys that a text has shown, with their values.
class Map {
 public:
  explicit Map(const Dials& dials) : dials_(dials) {}

  /// One of the keys shown, each as likely.
  const Words& any(Rng& rng) const {
    return order_[static_cast<std::size_t>(rng.below(std::ssize(order_)))];
  }

  /// A new key, which is drawn together with its value. Adds what they cost.
  const Words& added(Rng& rng, double& nats) {
    Words key = string_of(dials_.keys, dials_.longest, rng);
    while (values_.contains(key)) key = string_of(dials_.keys, dials_.longest, rng);
    const double own = string_nats(dials_.keys, dials_.longest, key.size());
    nats += own + std::log1p(-shown_);
    shown_ += std::exp(-own);
    const Words value = string_of(dials_.values, dials_.longest, rng);
    nats += string_nats(dials_.values, dials_.longest, value.size());
    values_[key] = value;
    order_.push_back(key);
    return order_.back();
  }

  std::int64_t size() const { return std::ssize(order_); }
  const Words& value_of(const Words& key) const { return values_.at(key); }

 private:
  const Dials& dials_;
  std::map<Words, Words> values_;
  std::vector<Words> order_;
  double shown_ = 0;  // probability of the keys shown
};

/// Writes a pair, filled up from the left.
void put_pair(const Dials& dials, const Words& key, const Words& value, bool answer,
              TaskDocument& document) {
  for (auto i = std::ssize(key); i < dials.longest; ++i) document.put(dials.blank());
  for (const std::int64_t word : key) document.put(word);
  for (auto i = std::ssize(value); i < dials.longest; ++i) document.put(dials.blank(), answer);
  for (const std::int64_t word : value) document.put(dials.first_value() + word, answer);
}

void put_noise(const Dials& dials, Rng& rng, TaskDocument& document) {
  for (std::int64_t i = 0; i < 2 * dials.longest; ++i)
    document.put(dials.first_noise() + rng.below(dials.noise_words));
  document.nats +=
      static_cast<double>(2 * dials.longest) * std::log(static_cast<double>(dials.noise_words));
}

void draw(const TaskDraw& with, Rng& rng, TaskDocument& document) {
  const Dials dials = dials_of(with.dials);
  const auto of = static_cast<double>(dials.distinct_keys);
  Map map(dials);
  for (std::int64_t pair = 0; pair < with.difficulty; ++pair) {
    const bool last = pair + 1 == with.difficulty && map.size() > 0;
    if (!last && dials.noise > 0) {
      const bool noisy = rng.probability(dials.noise);
      document.nats -= std::log(noisy ? dials.noise : 1 - dials.noise);
      if (noisy) {
        put_noise(dials, rng, document);
        continue;
      }
    }
    // The last pair is of a key that came before, so that each text has an answer.
    const auto shown = static_cast<double>(map.size());
    const bool again = last || rng.below(dials.distinct_keys) < map.size();
    const Words key = again ? map.any(rng) : map.added(rng, document.nats);
    if (again)
      document.nats += std::log(last ? shown : of);
    else
      document.nats -= std::log((of - shown) / of);
    put_pair(dials, key, map.value_of(key), again, document);
  }
}

}  // namespace

TaskSpec in_context_recall_task() {
  return {
      .name = "in_context_recall",
      .summary = "a stream of pairs in which keys come again with the value that they had",
      .source = "Poli et al. 2024, arXiv:2403.17844, appendix B",
      .difficulty = {"pairs", "test_pairs", {16}, {}, 2, 4096, "pairs of a document"},
      .dials = {integer("keys", 8, 1, 16384, "words that keys are made of"),
                integer("values", 8, 1, 16384, "words that values are made of"),
                integer("distinct", 8, 1, 1024, "keys that a document may show"),
                integer("longest", 1, 1, 8, "words of the longest key and value; above 1: fuzzy"),
                number("noise", 0, 0, 0.95, "fraction of the pairs that are noise"),
                integer("noise_words", 8, 1, 16384, "words that noise is made of")},
      .refusal = refusal,
      .words = words,
      .length = length,
      .chance = chance,
      .draw = draw};
}

}  // namespace ablate::data
