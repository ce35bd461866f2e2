#include "harness/probes/tagging/tagged_files_spec.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/data/text/text_clean.h"

namespace ablate::probes {
namespace {

constexpr std::string_view kBlanks = " \t\r";

/// The columns of a line.
std::vector<std::string> columns_of(std::string_view line) {
  std::vector<std::string> columns;
  while (true) {
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == line.npos) return columns;
    line.remove_prefix(first);
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    columns.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::string cleaned_word(const std::string& word) {
  data::Treatment treatment;
  return data::cleaned(word, treatment);
}

bool is_white(const std::string& piece) { return piece.find_first_not_of(" \t\n\r") == piece.npos; }

/// Appends a sentence as a document; returns [position, tag, position, tag ...].
Json append(const TaggedSentence& sentence, const std::vector<std::string>& names,
            const data::Tokenizer& tokenizer, data::CorpusContent::PartContent& part) {
  Json tags = Json::array();
  const std::size_t start = part.tokens.size();
  part.tokens.push_back(begin_token);
  for (std::size_t i = 0; i < sentence.words.size(); ++i) {
    const std::string word = (i == 0 ? "" : " ") + sentence.words[i];
    std::size_t at = part.tokens.size();
    tokenizer.encode(word, part.tokens);
    while (at + 1 < part.tokens.size() &&
           is_white(tokenizer.pieces()[static_cast<std::size_t>(part.tokens[at] - special_count)]))
      ++at;
    tags.push_back(at - start);
    tags.push_back(std::lower_bound(names.begin(), names.end(), sentence.tags[i]) - names.begin());
    part.bytes += static_cast<std::int64_t>(word.size());
  }
  part.tokens.push_back(end_token);
  ++part.documents;
  return tags;
}

/// Refuses a sentence whose entities do not all begin with a B tag. `line`: of its first word.
void check_opened(const TaggedSentence& sentence, std::size_t line,
                  const std::filesystem::path& file) {
  const std::size_t stray = first_stray(sentence.tags);
  if (stray < sentence.tags.size())
    fail(
        "{}:{}: '{}' continues no entity of its type; entities are read as IOB2, where each begins "
        "with a B tag: convert the file",
        file.string(), line + stray, sentence.tags[stray]);
}

}  // namespace

std::size_t first_stray(std::span<const std::string> tags) {
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (!tags[i].starts_with("I-")) continue;
    const std::string before = i == 0 ? "" : tags[i - 1];  // of an entity, none before being stray
    const bool open = before.starts_with("B-") || before.starts_with("I-");
    if (!open || before.substr(2) != tags[i].substr(2)) return i;
  }
  return tags.size();
}

std::vector<TaggedSentence> read_tagged(const std::filesystem::path& file) {
  std::istringstream lines(read_file(file));
  std::vector<TaggedSentence> sentences;
  std::vector<std::size_t> starts;  // the line that each sentence starts at
  bool open = false;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::vector<std::string> columns = columns_of(line);
    if (columns.empty() || columns[0] == "-DOCSTART-") {
      open = false;
      continue;
    }
    if (columns.size() < 2)
      fail("{}:{}: has no tag; a line is a word, a tab and its tag", file.string(), number);
    if (!open) {
      sentences.emplace_back();
      starts.push_back(number);
    }
    open = true;
    sentences.back().words.push_back(cleaned_word(columns.front()));
    sentences.back().tags.push_back(columns.back());
  }
  if (sentences.empty()) fail("{}: contains no tagged words", file.string());
  for (std::size_t i = 0; i < sentences.size(); ++i) check_opened(sentences[i], starts[i], file);
  return sentences;
}

data::CorpusContent tagged_content(const std::vector<TaggedSentence>& train,
                                   const std::vector<TaggedSentence>& test,
                                   const data::Tokenizer& tokenizer) {
  std::set<std::string> distinct;
  for (const auto* sentences : {&train, &test})
    for (const TaggedSentence& sentence : *sentences)
      distinct.insert(sentence.tags.begin(), sentence.tags.end());
  const std::vector<std::string> names(distinct.begin(), distinct.end());
  data::CorpusContent content{.pieces = tokenizer.pieces()};
  content.ordinary = static_cast<Token>(content.pieces.size());
  content.about = {{"kind", "tagged"}, {"names", names}};
  const auto tags_of = [&](const std::vector<TaggedSentence>& sentences,
                           data::CorpusContent::PartContent& part) {
    Json tags = Json::array();
    for (const TaggedSentence& sentence : sentences)
      tags.push_back(append(sentence, names, tokenizer, part));
    return tags;
  };
  content.about["training"] = tags_of(train, content.training);
  content.about["held_out"] = tags_of(test, content.held_out);
  return content;
}

Json prepare_tagged(const Params& settings, const Preparation& preparation) {
  Json prepared = settings.json();
  if (!settings.has("train") || !settings.has("test")) return prepared;
  const auto sentences = [&](const char* which) {
    return read_tagged(preparation.folder_of(which) / settings.text(which));
  };
  const data::CorpusContent content =
      tagged_content(sentences("train"), sentences("test"), *preparation.tokenizer());
  prepared["tagged"] = data::write_corpus(preparation.cache, content).stem().string();
  prepared.erase("train");  // the location of the files does not affect the measurement
  prepared.erase("test");
  return prepared;
}

}  // namespace ablate::probes
