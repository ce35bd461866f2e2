#include "tests/bench/probe_files.h"

#include "harness/base/json/json.h"
#include "harness/base/rng.h"
#include "tests/harness/probes/byte_tokenizer.h"

namespace ablate::bench {
namespace {

constexpr int kLines = 200;

/// A word of three to seven letters, and a space.
std::string word(Rng& rng) {
  std::string letters;
  for (std::int64_t left = 3 + rng.below(5); left > 0; --left)
    letters += static_cast<char>('a' + rng.below(26));
  return letters + " ";
}

std::string words(Rng& rng, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += word(rng);
  return text;
}

data::CorpusContent::PartContent part_of(std::int64_t texts, Rng rng) {
  data::CorpusContent::PartContent part{.documents = texts};
  const probes::testing::ByteTokenizer tokenizer;
  for (std::int64_t i = 0; i < texts; ++i) {
    const std::string text = words(rng, 12);
    part.tokens.push_back(begin_token);
    tokenizer.encode(text, part.tokens);
    part.tokens.push_back(end_token);
    part.bytes += std::ssize(text);
  }
  return part;
}

/// So many lines that `line` makes.
template <class Line>
std::string lines_of(std::uint64_t seed, const Line& line) {
  Rng rng(seed);
  std::string lines;
  for (int i = 0; i < kLines; ++i) lines += line(rng).dump() + "\n";
  return lines;
}

std::string tagged_sentences() {
  Rng rng(5);
  std::string lines;
  for (int i = 0; i < kLines; ++i) {
    for (int place = 0; place < 6; ++place) {
      std::string one = word(rng);
      one.back() = '\t';
      lines += one + (one.front() < 'g' ? "B-early\n" : "O\n");
    }
    lines += "\n";
  }
  return lines;
}

}  // namespace

data::CorpusContent byte_texts() {
  return {.training = part_of(400, Rng(1)),
          .held_out = part_of(100, Rng(2)),
          .pieces = probes::testing::ByteTokenizer::all(),
          .ordinary = 256,
          .about = {{"kind", "text"}, {"tokenizer", {{"kind", "byte"}}}}};
}

std::map<std::string, std::string> probe_files() {
  return {{"pairs.jsonl", lines_of(1,
                                   [](Rng& rng) -> Json {
                                     return {{"sentence_good", words(rng, 5)},
                                             {"sentence_bad", words(rng, 5)},
                                             {"UID", rng.below(2) == 0 ? "one" : "other"}};
                                   })},
          {"rated.jsonl", lines_of(2,
                                   [](Rng& rng) -> Json {
                                     return {{"prefix", words(rng, 3)},
                                             {"completions", {word(rng), word(rng)}},
                                             {"ratios", {1 + rng.below(9), 5}}};
                                   })},
          {"timed.jsonl", lines_of(3,
                                   [](Rng& rng) -> Json {
                                     return {{"prefix", words(rng, 4)},
                                             {"completions", {word(rng)}},
                                             {"ratios", {200 + rng.below(200)}}};
                                   })},
          {"blanks.jsonl", lines_of(4,
                                    [](Rng& rng) -> Json {
                                      return {{"prompt", words(rng, 3)},
                                              {"canonical_solution", word(rng)},
                                              {"suffix", words(rng, 2)}};
                                    })},
          {"tagged.conll", tagged_sentences()}};
}

}  // namespace ablate::bench
