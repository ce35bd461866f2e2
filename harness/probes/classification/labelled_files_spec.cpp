// Reads, tokenises and stores labelled text.

#include "harness/probes/classification/labelled_files_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/rng.h"
#include "harness/base/sha256.h"
#include "harness/base/shuffle.h"
#include "harness/data/batches/documents.h"
#include "harness/data/text/text_clean.h"

namespace ablate::probes {
namespace {

std::string label_of(const Json& value, const std::string& where, const std::string& field) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();
  fail("{}: '{}' is neither a string nor an integer", where, field);
}

const Json& field_of(const Json& record, const std::string& field, const std::string& where) {
  if (!record.is_object()) fail("{}: is not a JSON object", where);
  const auto found = record.find(field);
  if (found == record.end())
    fail("{}: has no '{}'; name the keys with 'text_field' and 'label_field'", where, field);
  return *found;
}

void add_line(const std::string& line, const std::string& where, const std::string& text_field,
              const std::string& label_field, LabelledLines& lines) {
  const Json record = Json::parse(line, nullptr, false);
  if (record.is_discarded()) fail("{}: is not JSON", where);
  const Json& text = field_of(record, text_field, where);
  if (!text.is_string()) fail("{}: '{}' is not a string", where, text_field);
  std::string label = label_of(field_of(record, label_field, where), where, label_field);
  data::Treatment treatment;
  std::string clean = data::cleaned(text.get_ref<const std::string&>(), treatment);
  if (data::is_blank(clean)) {
    ++lines.blank;
    return;
  }
  lines.texts.push_back(std::move(clean));
  lines.labels.push_back(std::move(label));
}

/// Appends at most `maximum` lines as documents; returns the index of each one's label in `names`.
/// The order is random, because files are often sorted by label, and the same for all experiments.
Json append(const LabelledLines& lines, std::size_t maximum, const std::vector<std::string>& names,
            const data::Tokenizer& tokenizer, data::CorpusContent::PartContent& part) {
  Json labels = Json::array();
  const Rng rng = Rng(0, Stream::probes).fork("labelled");
  for (const std::size_t i : random_order(lines.texts.size(), rng)) {
    if (labels.size() == maximum) break;
    part.tokens.push_back(begin_token);
    tokenizer.encode(lines.texts[i], part.tokens);
    part.tokens.push_back(end_token);
    part.bytes += static_cast<std::int64_t>(lines.texts[i].size());
    ++part.documents;
    labels.push_back(std::lower_bound(names.begin(), names.end(), lines.labels[i]) - names.begin());
  }
  return labels;
}

Json source_of(const LabelledLines& lines) {
  return {{"checksum", lines.checksum}, {"lines", lines.texts.size()}, {"blank", lines.blank}};
}

}  // namespace

LabelledLines read_labelled(const std::filesystem::path& file, const std::string& text_field,
                            const std::string& label_field) {
  const std::string bytes = read_file(file);
  LabelledLines lines{.checksum = sha256(bytes)};
  std::size_t number = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string line = bytes.substr(at, end - at);
    at = end + 1;
    ++number;
    if (!data::is_blank(line))
      add_line(line, fmt::format("{}:{}", file.string(), number), text_field, label_field, lines);
  }
  if (lines.texts.empty()) fail("{}: contains no labelled text", file.string());
  return lines;
}

data::CorpusContent labelled_content(const LabelledLines& train, const LabelledLines& test,
                                     const Params& params, const data::Tokenizer& tokenizer) {
  std::set<std::string> distinct(train.labels.begin(), train.labels.end());
  if (distinct.size() < 2)
    reject(
        "classification.train: all documents have the same label; a probe needs two labels or "
        "more");
  distinct.insert(test.labels.begin(), test.labels.end());
  const std::vector<std::string> names(distinct.begin(), distinct.end());
  const std::int64_t fitted =
      kPool * (params.integer("training_documents") + params.integer("development_documents"));
  const std::int64_t tested = kPool * params.integer("test_documents");

  data::CorpusContent content{.pieces = tokenizer.pieces()};
  content.ordinary = static_cast<Token>(content.pieces.size());
  content.about = {{"kind", "labelled"}, {"names", names}};
  content.about["training"] =
      append(train, static_cast<std::size_t>(fitted), names, tokenizer, content.training);
  content.about["held_out"] =
      append(test, static_cast<std::size_t>(tested), names, tokenizer, content.held_out);
  content.about["sources"] = {{"train", source_of(train)}, {"test", source_of(test)}};
  return content;
}

Json prepare_labelled(const Params& settings, const Preparation& preparation) {
  Json prepared = settings.json();
  if (!settings.has("train") || !settings.has("test")) return prepared;
  const auto lines = [&](const char* which) {
    return read_labelled(preparation.folder_of(which) / settings.text(which),
                         settings.text("text_field"), settings.text("label_field"));
  };
  const data::CorpusContent content =
      labelled_content(lines("train"), lines("test"), settings, *preparation.tokenizer());
  const std::filesystem::path file = data::write_corpus(preparation.cache, content);
  prepared["labelled"] = file.stem().string();
  prepared.erase("train");  // the location of the files does not affect the measurement
  prepared.erase("test");
  return prepared;
}

}  // namespace ablate::probes
