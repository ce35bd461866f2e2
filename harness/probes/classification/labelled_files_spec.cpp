// Reads, tokenises and stores labelled text.

#include "harness/probes/classification/labelled_files_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "harness/base/error.h"
#include "harness/base/rng.h"
#include "harness/base/shuffle.h"
#include "harness/base/text/unicode.h"
#include "harness/data/batches/documents.h"
#include "harness/data/text/text_clean.h"
#include "harness/probes/classification/label_checks_spec.h"
#include "harness/probes/json_lines_spec.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

std::string label_of(const Json& value, const std::string& where, const std::string& field) {
  if (value.is_string()) {
    std::string label = value.get<std::string>();
    if (is_white(label))
      fail("{}: '{}' is blank; give every line a label, or leave out the lines that have none",
           where, field);
    return label;
  }
  if (value.is_number_integer()) return value.dump();
  fail("{}: '{}' is neither a string nor an integer", where, field);
}

void add_line(const Json& record, const std::string& where, const LabelledFields& fields,
              LabelledLines& lines) {
  for (const std::string& field : {fields.text, fields.pair, fields.label})
    if (!field.empty() && !record.contains(field))
      fail("{}: has no '{}'; name the keys with 'text_field', 'pair_field' and 'label_field'",
           where, field);
  std::string text = text_at(record, fields.text, where);
  std::string second = fields.pair.empty() ? "" : text_at(record, fields.pair, where);
  std::string label = label_of(record.at(fields.label), where, fields.label);
  if (data::is_blank(text) || (!fields.pair.empty() && data::is_blank(second))) {
    ++lines.blank;
    return;
  }
  lines.texts.push_back(std::move(text));
  if (!fields.pair.empty()) lines.seconds.push_back(std::move(second));
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
    part.bytes += static_cast<std::int64_t>(lines.texts[i].size());
    if (!lines.seconds.empty()) {
      part.tokens.push_back(separator_token);
      tokenizer.encode(lines.seconds[i], part.tokens);
      part.bytes += static_cast<std::int64_t>(lines.seconds[i].size());
    }
    part.tokens.push_back(end_token);
    ++part.documents;
    labels.push_back(std::lower_bound(names.begin(), names.end(), lines.labels[i]) - names.begin());
  }
  return labels;
}

Json source_of(const LabelledLines& lines) {
  return {{"checksum", lines.checksum}, {"lines", lines.texts.size()}, {"blank", lines.blank}};
}

/// Both files as a corpus in the cache. `learned`: whether the probe learns labels.
Json prepared_files(const Params& settings, const Preparation& preparation, bool learned) {
  Json prepared = settings.json();
  if (!settings.has("train") || !settings.has("test")) return prepared;
  const auto lines = [&](const char* which) {
    return read_labelled(
        preparation.folder_of(which) / settings.text(which),
        {settings.text("text_field"), settings.text("label_field"),
         settings.has("pair_field") ? settings.text("pair_field") : std::string()});
  };
  const LabelledLines train = lines("train"), test = lines("test");
  const data::CorpusContent content =
      labelled_content(train, test, settings, *preparation.tokenizer());
  check_labels(train, test, settings, learned, preparation);
  const std::filesystem::path file = data::write_corpus(preparation.cache, content);
  prepared["labelled"] = file.stem().string();
  prepared.erase("train");  // the location of the files does not affect the measurement
  prepared.erase("test");
  return prepared;
}

}  // namespace

std::vector<Param> labelled_params() {
  constexpr double kMaxDocuments = 1e6;
  return {integer("training_documents", 400, 10, kMaxDocuments,
                  "documents used to fit the probe; the trial's seed draws them"),
          integer("development_documents", 200, 10, kMaxDocuments,
                  "documents used to choose the probe's own settings"),
          integer("test_documents", 400, 10, kMaxDocuments,
                  "documents that the accuracy is measured on"),
          optional(text("train", nullptr,
                        "JSON Lines file of labelled training and development documents; relative "
                        "to the file that gives it, or by --set to the current folder. If it has "
                        "more than needed, the trial's seed draws them")),
          optional(text("test", nullptr,
                        "JSON Lines file of labelled test documents; all are tested, or as many as "
                        "test_documents says, drawn by the trial's seed")),
          text("text_field", "text", "key of a line's text"),
          optional(text("pair_field", nullptr,
                        "key of a line's second text, which a model reads after the first and a "
                        "separator; absent: a line has one text")),
          text("label_field", "label", "key of a line's label: a string or an integer"),
          name_param()};
}

std::string labelled_refusal(const Params& params, const ProbedArm& arm) {
  const bool train = params.has("train"), test = params.has("test");
  if (arm.language && (train || test))
    return "'train' and 'test' name labelled text, but the built-in language labels documents by "
           "topic; leave both out";
  if (!arm.language && !(train && test))
    return "a text corpus has no labels of its own; give 'train' and 'test', JSON Lines files with "
           "a text and a label per line, such as --set probes.classification.train=FILE, or leave "
           "the probe out";
  return name_refusal(params);
}

Param label_counts_param() {
  return optional(list("label_counts", nullptr,
                       {integer("", nullptr, 2, 1e6, "a number of documents")}, 20,
                       "smaller numbers of training documents to measure the accuracy with as "
                       "well, such as [16, 64]; they show how many labels an arm needs"));
}

std::vector<std::int64_t> label_counts(const Params& params) {
  if (!params.has("label_counts")) return {};
  auto counts = params.list("label_counts").get<std::vector<std::int64_t>>();
  std::sort(counts.begin(), counts.end());
  return counts;
}

std::string label_counts_refusal(const Params& params) {
  const std::int64_t fitted = params.integer("training_documents");
  for (const std::int64_t count : label_counts(params))
    if (count >= fitted)
      return fmt::format(
          "label_counts has {}, but a curve of labels needs fewer than all training_documents, "
          "which are {}; leave it out or raise them",
          count, fitted);
  return {};
}

LabelledLines read_labelled(const std::filesystem::path& file, const LabelledFields& fields) {
  LabelledLines lines;
  lines.checksum = read_json_lines(file, [&](const Json& record, const std::string& where) {
    add_line(record, where, fields, lines);
  });
  if (lines.texts.empty()) fail("{}: contains no labelled text", file.string());
  return lines;
}

data::CorpusContent labelled_content(const LabelledLines& train, const LabelledLines& test,
                                     const Params& params, const data::Tokenizer& tokenizer) {
  std::set<std::string> distinct(train.labels.begin(), train.labels.end());
  if (distinct.size() < 2)
    reject("train: all documents have the same label; a probe needs two labels or more");
  distinct.insert(test.labels.begin(), test.labels.end());
  const std::vector<std::string> names(distinct.begin(), distinct.end());
  const std::int64_t development =
      params.has("development_documents") ? params.integer("development_documents") : 0;
  const std::int64_t fitted = kPool * (params.integer("training_documents") + development);
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
  return prepared_files(settings, preparation, true);
}

Json prepare_compared(const Params& settings, const Preparation& preparation) {
  return prepared_files(settings, preparation, false);
}

}  // namespace ablate::probes
