#include "harness/probes/tagging/tagged_files_spec.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/base/error.h"
#include "harness/probes/file_notes_spec.h"

namespace ablate::probes {
namespace {

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

/// The words of each sentence.
std::vector<std::string> texts_of(const TaggedFile& file) {
  std::vector<std::string> texts;
  for (const TaggedSentence& sentence : file.sentences)
    texts.push_back(fmt::format("{}", fmt::join(sentence.words, "\t")));
  return texts;
}

/// What a plan says of a file.
std::string fact_about(const char* which, const std::filesystem::path& name,
                       const TaggedFile& file) {
  std::string fact =
      fmt::format("{} '{}': {} sentences, {} words, tags in {}", which, name.string(),
                  file.sentences.size(), file.words(), file.scheme.text());
  if (file.scheme != TagScheme()) fact += ", read as IOB2";
  if (file.comments > 0) fact += fmt::format("; {} comments left out", file.comments);
  if (file.numbered) fact += "; the numbers of words in the first column left out";
  return fact;
}

/// Reads the file of a setting, and tells the plan what it is.
TaggedFile read_named(const char* which, const Params& settings, const Preparation& preparation) {
  const std::filesystem::path name = settings.text(which);
  const std::filesystem::path path = preparation.folder_of(which) / name;
  TaggedFile file = read_tagged(path);
  if (!file.has_entities())
    fail("{}: all tags are O, so there is no entity to find; give a file with B tags",
         path.string());
  preparation.note(fact_about(which, name, file));
  return file;
}

}  // namespace

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
  const TaggedFile train = read_named("train", settings, preparation);
  const TaggedFile test = read_named("test", settings, preparation);
  warn_of_few(preparation, "training and development sentences", std::ssize(train.sentences),
              settings.integer("training_sentences") + settings.integer("development_sentences"));
  warn_of_few(preparation, "test sentences", std::ssize(test.sentences),
              settings.integer("test_sentences"));
  warn_of_copies(preparation, "sentences", texts_of(train), texts_of(test));
  data::CorpusContent content =
      tagged_content(train.sentences, test.sentences, *preparation.tokenizer());
  // Absent where both are in IOB2, as they had to be before: corpora and ids stay what they were.
  if (train.scheme != TagScheme() || test.scheme != TagScheme())
    content.about["schemes"] = {{"train", train.scheme.text()}, {"test", test.scheme.text()}};
  prepared["tagged"] = data::write_corpus(preparation.cache, content).stem().string();
  prepared.erase("train");  // the location of the files does not affect the measurement
  prepared.erase("test");
  return prepared;
}

}  // namespace ablate::probes
