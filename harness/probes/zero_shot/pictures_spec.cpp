#include "harness/probes/zero_shot/pictures_spec.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/data/text/pictures.h"
#include "harness/probes/json_lines_spec.h"

namespace ablate::probes {
namespace {

constexpr std::string_view kName = "{}";

/// The name of a class: a string, or an integer as it is written.
std::string class_at(const Json& record, const std::string& key, const std::string& where) {
  const auto found = record.find(key);
  if (found != record.end() && found->is_number_integer()) return found->dump();
  return text_at(record, key, where);
}

/// The distinct labels, in alphabetical order.
std::vector<std::string> names_of(const LabelledPictures& pictures) {
  std::vector<std::string> names = pictures.labels;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string worded(const std::string& wording, const std::string& name) {
  std::string text = wording;
  return text.replace(text.find(kName), kName.size(), name);
}

template <class Append>
void add_document(data::CorpusContent::PartContent& part, const Append& append) {
  part.tokens.push_back(begin_token);
  append(part.tokens);
  part.tokens.push_back(end_token);
  ++part.documents;
}

/// The section of the pictures of the corpus.
const Json& pictures_of(const Json& corpus) {
  const auto found = corpus.find("picture");
  if (found == corpus.end())
    reject(
        "documents of this corpus have no pictures; give corpus.picture, or leave the probe out");
  return *found;
}

void check_wording(const std::string& wording) {
  if (wording.find(kName) == wording.npos)
    reject(
        "wording = '{}' does not say where the name of a class goes; write it with {}, such as 'a "
        "picture of {}'",
        wording, kName, kName);
}

}  // namespace

LabelledPictures read_labelled_pictures(const std::filesystem::path& file,
                                        const PictureFields& fields) {
  LabelledPictures pictures;
  read_json_lines(file, [&](const Json& record, const std::string& where) {
    pictures.patches.push_back(data::patches_in(record, fields.patches, fields.values, where));
    pictures.labels.push_back(class_at(record, fields.label, where));
  });
  return pictures;
}

data::CorpusContent picture_content(const LabelledPictures& pictures, const std::string& wording,
                                    const data::Tokenizer& tokenizer) {
  data::CorpusContent content{.pieces = tokenizer.pieces()};
  content.ordinary = static_cast<Token>(content.pieces.size());
  const std::vector<std::string> names = names_of(pictures);
  if (names.size() < 2)
    reject("the file of pictures has {} classes; there must be two to choose from", names.size());
  for (const std::string& name : names)
    add_document(content.training, [&](std::vector<Token>& tokens) {
      tokenizer.encode(worded(wording, name), tokens);
    });
  Json labels = Json::array();
  for (std::size_t i = 0; i < pictures.labels.size(); ++i) {
    add_document(content.held_out, [&](std::vector<Token>& tokens) {
      for (const Token patch : pictures.patches[i])
        tokens.push_back(tokenizer.first_patch() + patch);
    });
    labels.push_back(std::ranges::lower_bound(names, pictures.labels[i]) - names.begin());
  }
  content.about = {{"kind", "pictures"}, {"names", names}, {"labels", std::move(labels)}};
  return content;
}

Json prepare_zero_shot(const Params& settings, const Preparation& preparation) {
  Json prepared = settings.json();
  const Json& picture = pictures_of(preparation.section);
  if (preparation.section.at("kind") == "language") {
    if (preparation.section.at("names") < 2)
      reject(
          "documents of this language have no names, and pictures are classified by name; set "
          "corpus.names to 2 or more, or leave the probe out");
    return prepared;
  }
  check_wording(settings.text("wording"));
  const PictureFields fields{.patches = picture.at("field").get<std::string>(),
                             .label = settings.text("label_field"),
                             .values = picture.at("values").get<std::int64_t>()};
  const LabelledPictures pictures =
      read_labelled_pictures(preparation.folder_of("test") / settings.text("test"), fields);
  const data::CorpusContent content =
      picture_content(pictures, settings.text("wording"), *preparation.tokenizer());
  prepared["pictures"] = data::write_corpus(preparation.cache, content).stem().string();
  prepared.erase("test");  // where the file lies does not affect the measurement
  return prepared;
}

}  // namespace ablate::probes
