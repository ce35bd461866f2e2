#include "harness/data/tokenizer/tokenizer_words.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "harness/base/error.h"

namespace ablate::data {
namespace {

constexpr std::size_t kBytes = 256;

bool is_of_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '\'' || std::isalnum(byte) != 0;
}

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Calls `take` with each word of a text, in order. Together they are the text.
template <class Take>
void for_each_word(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    const bool spaced = text[at] == ' ' && at + 1 < text.size() && !is_space(text[at + 1]);
    std::size_t end = at + spaced;
    if (is_of_word(text[end])) {
      while (end < text.size() && is_of_word(text[end])) ++end;
    } else {
      ++end;
    }
    take(text.substr(at, end - at));
    at = end;
  }
}

class Words : public Tokenizer {
 public:
  explicit Words(std::vector<std::string> pieces) : Tokenizer(std::move(pieces)) {
    for (std::size_t i = kBytes; i < this->pieces().size(); ++i)
      ids_.emplace(this->pieces()[i], special_count + static_cast<Token>(i));
  }

  void encode(std::string_view text, std::vector<Token>& ids) const override {
    for_each_word(text, [&](std::string_view word) {
      if (const auto found = ids_.find(word); found != ids_.end()) {
        ids.push_back(found->second);
      } else {
        for (const char c : word) ids.push_back(special_count + static_cast<unsigned char>(c));
      }
    });
  }

 private:
  std::map<std::string, Token, std::less<>> ids_;
};

}  // namespace

std::string count_words(std::int64_t vocabulary, std::span<const std::string_view> documents) {
  std::map<std::string, std::int64_t, std::less<>> counts;
  for (const std::string_view document : documents)
    for_each_word(document, [&](std::string_view word) {
      if (word.size() == 1) return;  // a byte
      if (const auto found = counts.find(word); found != counts.end())
        ++found->second;
      else
        counts.emplace(word, 1);
    });
  std::vector<std::pair<std::string, std::int64_t>> words(counts.begin(), counts.end());
  std::ranges::stable_sort(words, std::greater(), &std::pair<std::string, std::int64_t>::second);
  const auto most = static_cast<std::size_t>(vocabulary) - kBytes;
  std::string model;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i) model += words[i].first + '\n';
  return model;
}

std::unique_ptr<Tokenizer> words_tokenizer(const std::string& model) {
  std::vector<std::string> pieces = byte_tokenizer()->pieces();
  for (std::size_t at = 0; at < model.size();) {
    const std::size_t end = model.find('\n', at);
    if (end == model.npos || end < at + 2) damaged("tokenizer: is not a list of words");
    pieces.push_back(model.substr(at, end - at));
    at = end + 1;
  }
  return std::make_unique<Words>(std::move(pieces));
}

}  // namespace ablate::data
