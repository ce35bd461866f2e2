#include "harness/probes/prompts/asking_spec.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "harness/base/error.h"

namespace ablate::probes {
namespace {

constexpr double kShown = 2.0 / 3;  // of the context, for a passage of held-out text

/// The ids of the words of a corpus that has_words().
std::vector<Token> ids_of_words(const data::Corpus& corpus, const std::string& words) {
  std::map<std::string, Token> known;
  for (Token token = special_count; token < special_count + corpus.ordinary(); ++token)
    known.emplace(corpus.spelled(token), token);
  std::vector<Token> ids;
  std::istringstream text(words);
  for (std::string word; text >> word;) {
    const auto found = known.find(word);
    if (found == known.end())
      reject("'{}' is not a word of this corpus; its words are {} to {}", word,
             corpus.spelled(special_count), corpus.spelled(special_count + corpus.ordinary() - 1));
    ids.push_back(found->second);
  }
  return ids;
}

/// Whether tokens are pieces of words, so that a space belongs to the word that follows it.
bool has_pieces(const data::Corpus& corpus) {
  const Json tokenizer = corpus.about().value("tokenizer", Json::object());
  return !corpus.has_words() && tokenizer.value("kind", "bytes") != "bytes";
}

}  // namespace

Encode encoder_of(const data::Corpus& corpus,
                  const std::function<std::shared_ptr<const data::Tokenizer>()>& tokenizer) {
  if (corpus.has_words())
    return [&corpus](const std::string& text) { return ids_of_words(corpus, text); };
  return [tokenizer = tokenizer()](const std::string& text) {
    std::vector<Token> ids;
    tokenizer->encode(text, ids);
    return ids;
  };
}

std::string with_spaces_in_blanks(std::string text) {
  for (std::size_t blank = 0; (blank = text.find(kBlankMark, blank)) != std::string::npos;) {
    std::size_t words = blank;
    while (words > 0 && text[words - 1] == ' ') --words;
    text.erase(words, blank - words);
    blank = std::min(text.size(), text.find_first_not_of('_', words));
  }
  return text;
}

std::string as_asked(const data::Corpus& corpus, std::string text) {
  return has_pieces(corpus) ? with_spaces_in_blanks(std::move(text)) : text;
}

std::vector<std::vector<Token>> parts_of(const std::string& text, const Encode& encode) {
  std::vector<std::vector<Token>> parts;
  for (std::size_t from = 0; from != std::string::npos;) {
    const std::size_t blank = text.find(kBlankMark, from);
    parts.push_back(encode(text.substr(from, blank - from)));
    if (blank == std::string::npos) break;
    from = std::min(text.size(), text.find_first_not_of('_', blank));
  }
  if (parts.size() == 1) parts.emplace_back();
  return parts;
}

std::optional<Passage> passage_of(std::span<const Token> document, std::int64_t tokens,
                                  std::int64_t context, std::optional<std::int64_t> position) {
  std::span<const Token> text = document.subspan(1);
  if (!text.empty() && text.back() == end_token) text = text.first(text.size() - 1);
  const auto room = static_cast<std::size_t>(static_cast<double>(context) * kShown);
  text = text.first(std::min(text.size(), room));
  const auto hidden = static_cast<std::size_t>(tokens);
  const std::size_t left = position ? static_cast<std::size_t>(*position) : text.size() / 3;
  if (left + hidden > text.size()) return std::nullopt;
  const auto ids = [&](std::size_t from, std::size_t count) {
    const auto some = text.subspan(from, count);
    return std::vector<Token>(some.begin(), some.end());
  };
  return Passage{{ids(0, left), ids(left + hidden, text.size() - left - hidden)},
                 ids(left, hidden)};
}

}  // namespace ablate::probes
