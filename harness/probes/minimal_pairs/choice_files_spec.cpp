#include "harness/probes/minimal_pairs/choice_files_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "harness/base/error.h"
#include "harness/data/batches/documents.h"
#include "harness/data/text/text_clean.h"
#include "harness/data/text/text_marks.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/json_lines_spec.h"
#include "harness/probes/lengths/misfits_spec.h"

namespace ablate::probes {
namespace {

namespace fs = std::filesystem;

constexpr double kLongestTime = 1e12;  // in any unit: its square is finite

std::string optional_text(const Json& record, const char* key, const std::string& where) {
  return record.contains(key) ? text_at(record, key, where) : std::string();
}

Choice sentences_of(const Json& record, const std::string& where) {
  return {.completions = {text_at(record, "sentence_good", where),
                          text_at(record, "sentence_bad", where)},
          .group = optional_text(record, "UID", where)};
}

void read_label(const Json& record, const std::string& where, Choice& choice) {
  const auto label = record.find("label");
  if (label == record.end() || !label->is_number_integer() || *label < 0 ||
      *label >= choice.completions.size())
    fail("{}: 'label' is not the index of one of {} completions", where, choice.completions.size());
  choice.right = label->get<std::size_t>();
}

void read_ratios(const Json& record, const std::string& where, Choice& choice) {
  const auto ratios = record.find("ratios");
  if (ratios == record.end() || !ratios->is_array() || ratios->size() != choice.completions.size())
    fail("{}: 'ratios' is not a list of {} numbers, one for each completion", where,
         choice.completions.size());
  for (const Json& ratio : *ratios) {
    if (!ratio.is_number() || ratio.get<double>() < 0)
      fail("{}: a ratio is not a number of at least 0", where);
    choice.ratios.push_back(ratio.get<double>());
  }
  const double sum = std::accumulate(choice.ratios.begin(), choice.ratios.end(), 0.0);
  if (sum <= 0) fail("{}: all 'ratios' are 0", where);
  for (double& ratio : choice.ratios) ratio /= sum;
}

void read_time(const Json& record, const std::string& where, Choice& choice) {
  const auto ratios = record.find("ratios");
  const bool one = ratios != record.end() && ratios->is_array() && ratios->size() == 1 &&
                   ratios->front().is_number();
  const double time = one ? ratios->front().get<double>() : 0;
  if (!(time > 0 && time < kLongestTime))
    fail("{}: 'ratios' is not a list of one number above 0, the time that the word was read",
         where);
  choice.ratios = {time};
}

/// Reads what the file says of the completions.
void read_answer(const Json& record, const std::string& where, ChoiceKind kind, Choice& choice) {
  switch (kind) {
    case ChoiceKind::labelled:
      return read_label(record, where, choice);
    case ChoiceKind::rated:
      return read_ratios(record, where, choice);
    case ChoiceKind::timed:
      return read_time(record, where, choice);
  }
}

Choice completions_of(const Json& record, const std::string& where, ChoiceKind kind) {
  Choice choice{.prefix = optional_text(record, "prefix", where),
                .group = optional_text(record, "group", where)};
  const Json& completions = record.at("completions");
  const bool timed = kind == ChoiceKind::timed;
  if (!completions.is_array() || (timed ? completions.size() != 1 : completions.size() < 2))
    fail("{}: 'completions' is not a list of {}", where,
         timed ? "one string, the word that was read" : "at least two strings");
  for (const Json& completion : completions) {
    if (!completion.is_string()) fail("{}: a completion is not a string", where);
    data::Treatment treatment;
    choice.completions.push_back(data::cleaned(completion.get<std::string>(), treatment));
  }
  read_answer(record, where, kind, choice);
  return choice;
}

Choice choice_of(const Json& record, const std::string& where, ChoiceKind kind) {
  if (kind != ChoiceKind::labelled && !record.contains("completions"))
    fail("{}: has no 'completions'", where);
  Choice choice = record.contains("completions") ? completions_of(record, where, kind)
                                                 : sentences_of(record, where);
  choice.field = optional_text(record, "field", where);
  std::replace(choice.field.begin(), choice.field.end(), '/', '_');
  for (const std::string& completion : choice.completions)
    if (data::is_blank(completion)) fail("{}: a completion is blank", where);
  return choice;
}

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) fail("{}: contains no *.jsonl file", path.string());
  return files;
}

/// The index of a name in a list, to which it is added if it is not there.
class Names {
 public:
  std::size_t index(const std::string& name) {
    const auto [known, is_new] = indices_.emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return known->second;
  }

  const std::vector<std::string>& all() const { return names_; }

 private:
  std::map<std::string, std::size_t> indices_;
  std::vector<std::string> names_;
};

/// The number of characters of UTF-8 text.
std::int64_t characters_of(const std::string& text) {
  return std::count_if(text.begin(), text.end(),
                       [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; });
}

/// Appends a completion as a document; returns the number of tokens of its prefix.
std::size_t append(const std::string& prefix, const std::string& completion,
                   const data::Tokenizer& tokenizer, data::DocumentMarker& marker,
                   data::CorpusContent::PartContent& part) {
  std::vector<Token> ids;
  tokenizer.encode(prefix, ids);
  const std::size_t prefix_tokens = ids.size();
  tokenizer.encode(completion, ids);
  part.tokens.push_back(begin_token);
  part.marks.push_back(special_mark);
  part.tokens.insert(part.tokens.end(), ids.begin(), ids.end());
  marker.mark(prefix + completion, ids, tokenizer.pieces(), part.marks);
  part.tokens.push_back(end_token);
  part.marks.push_back(special_mark);
  part.bytes += static_cast<std::int64_t>(prefix.size() + completion.size());
  ++part.documents;
  return prefix_tokens;
}

/// Whether the rule of ASCII finds the words of all choices.
bool ascii_rule_covers(const std::vector<Choice>& choices) {
  return std::all_of(choices.begin(), choices.end(), [](const Choice& choice) {
    return std::all_of(choice.completions.begin(), choice.completions.end(),
                       [&](const std::string& completion) {
                         return data::ascii_rule_covers(choice.prefix + completion);
                       });
  });
}

}  // namespace

std::vector<Choice> read_choices(const fs::path& path, ChoiceKind kind) {
  std::vector<Choice> choices;
  for (const fs::path& file : files_of(path))
    read_json_lines(file, [&](const Json& record, const std::string& where) {
      choices.push_back(choice_of(record, where, kind));
    });
  if (choices.empty()) fail("{}: contains no choices", path.string());
  return choices;
}

data::CorpusContent choice_content(const std::vector<Choice>& choices, std::int64_t per_group,
                                   const data::Tokenizer& tokenizer) {
  data::CorpusContent content{.pieces = tokenizer.pieces()};
  content.ordinary = static_cast<Token>(content.pieces.size());
  const bool covered = ascii_rule_covers(choices);
  data::DocumentMarker marker(covered ? data::MarkRule::ascii : data::MarkRule::unicode);
  Names groups, fields;
  std::map<std::size_t, std::int64_t> taken;  // by group
  Json items = Json::array(), prefix_tokens = Json::array(), characters = Json::array(),
       ratios = Json::array();
  for (const Choice& choice : choices) {
    const std::size_t group = groups.index(choice.group), field = fields.index(choice.field);
    if (++taken[group] > per_group && per_group > 0) continue;
    items.push_back({group, field, choice.right, choice.completions.size()});
    for (const std::string& completion : choice.completions) {
      prefix_tokens.push_back(
          append(choice.prefix, completion, tokenizer, marker, content.training));
      characters.push_back(characters_of(completion));
    }
    for (const double ratio : choice.ratios) ratios.push_back(ratio);
  }
  content.about = {{"kind", "choices"},
                   {"groups", groups.all()},
                   {"fields", fields.all()},
                   {"items", std::move(items)},
                   {"prefix_tokens", std::move(prefix_tokens)},
                   {"characters", std::move(characters)}};
  if (!covered) content.about["marks"] = data::unicode_marks();
  if (!ratios.empty()) content.about["ratios"] = std::move(ratios);
  return content;
}

std::size_t room_for_choices(std::int64_t context) {
  return static_cast<std::size_t>(std::max<std::int64_t>(0, context - kRoomForMarks));
}

Misfits choice_misfits(const Json& prepared, const Params&, const ProbedArm& arm,
                       const fs::path& cache) {
  const auto corpus = prepared_corpus(prepared, "choices", cache);
  if (!corpus || cloze_format_of(arm.objective, arm.params) == ClozeFormat::none) return {};
  const auto documents = prepared_documents(corpus->training());
  const std::size_t room = room_for_choices(arm.context);
  LeftOut items{"items"};
  std::size_t first = 0;
  for (const Json& item : corpus->about().at("items")) {
    const std::size_t end = first + item.at(3).get<std::size_t>();
    bool fits = end <= documents.size();
    for (; first < end; ++first) fits = fits && documents[first].size() <= room;
    items.count += fits ? 0 : 1;
    ++items.all;
  }
  return misfits_of(items, arm.context);
}

Json prepare_choices(const Params& settings, const Preparation& preparation, ChoiceKind kind) {
  Json prepared = settings.json();
  if (!settings.has("path")) return prepared;
  const data::CorpusContent content =
      choice_content(read_choices(preparation.folder_of("path") / settings.text("path"), kind),
                     settings.integer("per_group"), *preparation.tokenizer());
  prepared["choices"] = data::write_corpus(preparation.cache, content).stem().string();
  prepared.erase("path");  // where the file lies does not affect the measurement
  return prepared;
}

}  // namespace ablate::probes
