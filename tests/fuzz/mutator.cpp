#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace ablate::fuzz {
namespace {

/// What parsers stumble over.
constexpr std::string_view kDictionary[] = {"[",
                                            "]",
                                            "{",
                                            "}",
                                            "[[[[[[[[",
                                            "{\"a\":",
                                            ",",
                                            ":",
                                            "\"",
                                            "\\",
                                            "\\u0000",
                                            "\\ud800",
                                            "null",
                                            "true",
                                            "false",
                                            "//",
                                            "/*",
                                            "\n",
                                            "\r\n",
                                            "=",
                                            ".",
                                            "..",
                                            "/",
                                            "~1",
                                            "*",
                                            "?",
                                            "{}",
                                            "[]",
                                            "\"x\"",
                                            "\"\"",
                                            "[\"x\"]",
                                            "{\"x\":1}",
                                            std::string_view("\0", 1),
                                            "\x1B[2J",
                                            "\x7F",
                                            "\x80",
                                            "\xC2\x9B",
                                            "\xC3",
                                            "\xE2\x80\xAE",
                                            "\xED\xA0\x80",
                                            "\xEF\xBB\xBF",
                                            "\xF4\x90\x80\x80",
                                            "\xFF",
                                            "\"event\":\"curve\"",
                                            "\"sha256\":\"",
                                            "\"data_offsets\":[",
                                            "\"nan\"",
                                            "{\"linspace\":[0,1,3]}",
                                            "{\"range\":[0,1,1e-9]}",
                                            "\"extends\":[\"base/small.json\"],"};

constexpr std::string_view kNumbers[] = {"0",
                                         "-1",
                                         "1",
                                         "0.5",
                                         "-0.0",
                                         "255",
                                         "256",
                                         "65536",
                                         "2147483647",
                                         "2147483648",
                                         "-2147483648",
                                         "4294967296",
                                         "9007199254740993",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "1e-300",
                                         "1e300",
                                         "1e999",
                                         "1e-9"};

std::size_t below(std::size_t bound, Rng& rng) {
  return bound == 0 ? 0 : static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(bound)));
}

template <class Words>
std::string_view one_of(const Words& words, Rng& rng) {
  return words[below(std::size(words), rng)];
}

/// A place and a length in `text`; most stretches are short.
struct Span {
  std::size_t first, count;
};

Span stretch_of(const std::string& text, Rng& rng) {
  const std::size_t first = below(text.size() + 1, rng);
  const std::size_t longest = std::min(text.size() - first, std::size_t{1} << below(14, rng));
  return {first, below(longest + 1, rng)};
}

void change_byte(std::string& text, Rng& rng) {
  if (text.empty()) return;
  char& byte = text[below(text.size(), rng)];
  const bool flips = rng.probability(0.5);
  byte = static_cast<char>(flips ? byte ^ (1 << below(8, rng)) : static_cast<int>(below(256, rng)));
}

/// Replaces a number, if there is one after a random place.
void change_number(std::string& text, Rng& rng) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t first = text.find_first_of(kDigits, below(text.size() + 1, rng));
  if (first == text.npos) return;
  const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-", first), text.size());
  text.replace(first, end - first, one_of(kNumbers, rng));
}

void repeat(std::string& text, Rng& rng) {
  const auto [first, count] = stretch_of(text, rng);
  const std::string piece = text.substr(first, count);
  const std::size_t times = std::size_t{1} << below(1 + below(13, rng), rng);  // rarely many
  std::string all;
  for (std::size_t i = 0; i < times && all.size() < kMaxInput; ++i) all += piece;
  text.insert(first, all);
}

/// Puts a value, or what looks like one, into so many lists or objects: readers recurse.
void nest(std::string& text, Rng& rng) {
  constexpr std::string_view kEnds = ",:[]{} \n";
  const std::size_t first = below(text.size() + 1, rng);
  const std::size_t end = std::min(text.find_first_of(kEnds, first), text.size());
  const std::size_t levels = std::size_t{1} << below(14, rng);
  const bool lists = rng.probability(0.5);
  std::string before, after;
  for (std::size_t level = 0; level < levels; ++level) {
    before += lists ? "[" : "{\"a\":";
    after += lists ? ']' : '}';
  }
  text.insert(end, after);
  text.insert(first, before);
}

void splice(std::string& text, const std::string& other, Rng& rng) {
  const auto [first, count] = stretch_of(text, rng);
  const auto [from, taken] = stretch_of(other, rng);
  text.replace(first, count, other, from, taken);
}

}  // namespace

Mutator::Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)) {
  for (std::string& seed : seeds_) seed.resize(std::min(seed.size(), kMaxInput));
}

std::string Mutator::input(Rng rng) const {
  std::string text = seeds_[below(seeds_.size(), rng)];
  for (std::size_t left = std::size_t{1} << below(4, rng); left > 0; --left) {
    const Span place = stretch_of(text, rng);
    switch (rng.below(11)) {
      case 0:
        text.resize(place.first);
        break;
      case 1:
        text.erase(place.first, place.count);
        break;
      case 2:
        repeat(text, rng);
        break;
      case 3:
        splice(text, seeds_[below(seeds_.size(), rng)], rng);
        break;
      case 4:
      case 5:
        text.insert(place.first, one_of(kDictionary, rng));
        break;
      case 6:
      case 7:
        change_number(text, rng);
        break;
      case 8:
        nest(text, rng);
        break;
      default:
        change_byte(text, rng);
    }
    text.resize(std::min(text.size(), kMaxInput));
  }
  return text;
}

}  // namespace ablate::fuzz
