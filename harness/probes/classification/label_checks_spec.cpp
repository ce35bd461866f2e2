#include "harness/probes/classification/label_checks_spec.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/error.h"
#include "harness/base/number_text.h"
#include "harness/base/text/unicode.h"
#include "harness/probes/file_notes_spec.h"

namespace ablate::probes {
namespace {

using LabelCounts = std::map<std::string, std::int64_t>;

LabelCounts counts_of(const LabelledLines& lines) {
  LabelCounts counts;
  for (const std::string& label : lines.labels) ++counts[label];
  return counts;
}

/// "'a', 'b'"; of many the first ones.
template <class Names>
std::string quoted(const Names& names) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (const std::string& name : names)
    if (shown.size() < kShown) shown.push_back(fmt::format("'{}'", with_visible_characters(name)));
  const std::size_t count = std::size(names);
  if (count > kShown) shown.push_back(fmt::format("and {} others", count - kShown));
  return fmt::format("{}", fmt::join(shown, ", "));
}

std::vector<std::string> names_of(const LabelCounts& counts) {
  std::vector<std::string> names;
  for (const auto& [label, count] : counts) names.push_back(label);
  return names;
}

/// The text of each line; of a pair both.
std::vector<std::string> texts_of(const LabelledLines& lines) {
  std::vector<std::string> texts = lines.texts;
  for (std::size_t i = 0; i < lines.seconds.size(); ++i) texts[i] += '\0' + lines.seconds[i];
  return texts;
}

/// "train: 60 documents with 2 labels: '0' (30), '1' (30)".
std::string fact_about(const char* which, const LabelledLines& lines) {
  constexpr std::size_t kListed = 8;
  const LabelCounts counts = counts_of(lines);
  std::string fact = fmt::format("{}: {} documents with {} label{}", which, lines.texts.size(),
                                 counts.size(), counts.size() == 1 ? "" : "s");
  if (counts.size() <= kListed) {
    std::vector<std::string> parts;
    for (const auto& [label, count] : counts)
      parts.push_back(fmt::format("'{}' ({})", with_visible_characters(label), count));
    fact += fmt::format(": {}", fmt::join(parts, ", "));
  }
  if (const std::int64_t copies = copies_in(texts_of(lines)); copies > 0)
    fact += fmt::format("; {} are copies of others", copies);
  if (lines.blank > 0) fact += fmt::format("; {} blank ones left out", lines.blank);
  return fact;
}

/// How many texts of a file occur with several labels.
std::int64_t contradictions(const LabelledLines& lines) {
  std::map<std::string, std::set<std::string>> labels;
  const std::vector<std::string> texts = texts_of(lines);
  for (std::size_t i = 0; i < texts.size(); ++i) labels[texts[i]].insert(lines.labels[i]);
  return std::count_if(labels.begin(), labels.end(),
                       [](const auto& text) { return text.second.size() > 1; });
}

/// A label without the differences that are probably slips.
std::string plain(const std::string& label) {
  return without(identifier_folded(label), is_white_space);
}

/// Pairs of labels that differ in white space, capitals or the form of characters alone: "'good ' and
/// 'good'".
std::vector<std::string> slips(const LabelCounts& train, const LabelCounts& test) {
  std::map<std::string, std::set<std::string>> alike;
  for (const LabelCounts* counts : {&train, &test})
    for (const auto& [label, count] : *counts) alike[plain(label)].insert(label);
  std::vector<std::string> found;
  for (const auto& [key, labels] : alike)
    if (labels.size() > 1)
      found.push_back(fmt::format("'{}' and '{}'", with_visible_characters(*labels.begin()),
                                  with_visible_characters(*std::next(labels.begin()))));
  return found;
}

void check_known(const LabelCounts& train, const LabelCounts& test,
                 const Preparation& preparation) {
  std::vector<std::string> unknown;
  std::int64_t documents = 0, all = 0;
  for (const auto& [label, count] : test) {
    all += count;
    if (train.contains(label)) continue;
    unknown.push_back(label);
    documents += count;
  }
  if (unknown.empty()) return;
  if (documents == all)
    reject(
        "test: its labels are {}, and train has none of them, but {}; no model can name a label "
        "that it was never shown: spell the labels of both files in the same way, or give a test "
        "file whose labels are not hidden (many published test files have -1 or a blank for all of "
        "them)",
        quoted(unknown), quoted(names_of(train)));
  preparation.warn(fmt::format(
      "{} of {} test documents have labels that train does not have: {}; no model can name them, "
      "so at most {} % can be right",
      documents, all, quoted(unknown),
      significant(100 * static_cast<double>(all - documents) / static_cast<double>(all), 3)));
}

/// Says how many documents a trial is fitted to and tested on.
void note_sizes(const LabelledLines& train, const LabelledLines& test, const Params& settings,
                bool learned, const Preparation& preparation) {
  const auto number = [&](const char* name) {
    return settings.has(name) ? settings.integer(name) : 0;
  };
  const std::int64_t training = learned ? number("training_documents") : 0;
  const std::int64_t development = number("development_documents");
  const auto found = static_cast<std::int64_t>(train.texts.size());
  const SplitTrain split = split_train(found, training, development);
  const std::int64_t tested =
      std::min(static_cast<std::int64_t>(test.texts.size()), settings.integer("test_documents"));
  std::string sizes = "each trial takes ";
  if (training > 0) sizes += fmt::format("{} documents for training, ", split.training);
  if (development > 0) sizes += fmt::format("{} to choose settings on, ", split.development);
  preparation.note(fmt::format("{}{} to test on", sizes, tested));
  const char* const used = training == 0      ? "development documents"
                           : development == 0 ? "training documents"
                                              : "training and development documents";
  warn_of_few(preparation, used, found, training + development);
  warn_of_few(preparation, "test documents", std::ssize(test.texts),
              settings.integer("test_documents"));
}

}  // namespace

void check_labels(const LabelledLines& train, const LabelledLines& test, const Params& settings,
                  bool learned, const Preparation& preparation) {
  const LabelCounts of_train = counts_of(train), of_test = counts_of(test);
  preparation.note(fact_about("train", train));
  preparation.note(fact_about("test", test));
  note_sizes(train, test, settings, learned, preparation);
  if (learned) check_known(of_train, of_test, preparation);
  const std::vector<std::string> alike = slips(of_train, of_test);
  if (!alike.empty())
    preparation.warn(fmt::format(
        "labels that differ only in white space, capitals or the form of characters count as "
        "different labels: {}; spell them in the same way if they are meant to be one",
        fmt::join(alike, "; ")));
  for (const auto& [which, lines] : {std::pair{"train", &train}, {"test", &test}})
    if (const std::int64_t texts = contradictions(*lines); texts > 0)
      preparation.warn(fmt::format(
          "{}: texts that occur with several labels: {}; no model can be right about all of them",
          which, texts));
  if (of_test.size() == 1)
    preparation.warn(
        fmt::format("all test documents have the label '{}': always giving it is right",
                    of_test.begin()->first));
  if (train.checksum == test.checksum)
    preparation.warn(
        "train and test are the same file, so the test measures what was learned by heart; give "
        "documents that were not trained on");
  else
    warn_of_copies(preparation, "documents", texts_of(train), texts_of(test));
}

}  // namespace ablate::probes
