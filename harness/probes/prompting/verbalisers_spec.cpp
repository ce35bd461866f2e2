#include "harness/probes/prompting/verbalisers_spec.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "harness/base/error.h"
#include "harness/data/corpus/corpus.h"
#include "harness/probes/classification/labelled_files_spec.h"
#include "harness/probes/cloze/questions.h"

namespace ablate::probes {
namespace {

std::vector<Token> encoded(const data::Tokenizer& tokenizer, const std::string& text) {
  std::vector<Token> ids;
  tokenizer.encode(text, ids);
  return ids;
}

/// The texts that the settings give for labels.
std::map<std::string, std::string> given_verbalisers(const Params& settings,
                                                     const std::vector<std::string>& labels) {
  std::map<std::string, std::string> given;
  for (const Json& one : settings.list("verbalisers")) {
    const auto& label = one.at("label").get_ref<const std::string&>();
    if (std::find(labels.begin(), labels.end(), label) == labels.end())
      reject("prompting: '{}' in verbalisers is no label of the files; they are {}", label,
             fmt::join(labels, ", "));
    given[label] = one.at("text").get<std::string>();
  }
  return given;
}

}  // namespace

std::vector<std::int64_t> shots_that_fit(const Params& params, std::int64_t room) {
  std::vector<std::int64_t> shots;
  for (const Json& count : params.list("shots"))
    if (room / (count.get<std::int64_t>() + 1) >= kFewestPerText)
      shots.push_back(count.get<std::int64_t>());
  std::sort(shots.begin(), shots.end());
  shots.erase(std::unique(shots.begin(), shots.end()), shots.end());
  return shots;
}

std::int64_t shown_tokens(const PromptFormat& format, std::int64_t demonstrations,
                          std::int64_t room) {
  std::size_t longest = 0;
  for (const std::vector<Token>& verbaliser : format.verbalisers)
    longest = std::max(longest, verbaliser.size());
  const auto added = static_cast<std::int64_t>(longest + format.before.size() +
                                               format.between.size() + format.after.size());
  return (room - 1) / (demonstrations + 1) - added;
}

std::string no_demonstrations(const PromptFormat& format, std::int64_t demonstrations,
                              std::int64_t room, std::int64_t training) {
  if (demonstrations > training)
    return fmt::format("there are {} training documents for {} demonstrations", training,
                       demonstrations);
  if (shown_tokens(format, demonstrations, room) < 1)
    return fmt::format("{} demonstrations with their labels leave no room for texts in {} tokens",
                       demonstrations, room);
  return {};
}

std::int64_t room_of(const Params& params, std::int64_t context) {
  const std::int64_t longest = params.integer("longest");
  return (longest > 0 ? longest : context) - kRoomForMarks;
}

std::vector<std::string> names_of_shots(const std::vector<Metric>& metrics, std::int64_t shots) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics)
    if (metric.index && metric.index->value == shots) names.push_back(metric.name);
  return names;
}

PromptFormat prompt_format(const Params& settings, const std::vector<std::string>& labels,
                           const data::Tokenizer& tokenizer) {
  const std::map<std::string, std::string> given = given_verbalisers(settings, labels);
  PromptFormat format{.before = encoded(tokenizer, settings.text("before_label")),
                      .after = encoded(tokenizer, settings.text("after_label"))};
  if (settings.has("pair_field")) {
    format.between = encoded(tokenizer, settings.text("between_texts"));
    if (format.between.empty())
      reject("prompting: between_texts has no tokens, so that the texts of a pair run together");
  }
  for (const std::string& label : labels) {
    const auto found = given.find(label);
    const std::string& text = found == given.end() ? label : found->second;
    std::vector<Token> ids = encoded(tokenizer, text);
    if (ids.empty()) reject("prompting: the verbaliser '{}' of '{}' has no tokens", text, label);
    const auto same = std::find(format.verbalisers.begin(), format.verbalisers.end(), ids);
    if (same != format.verbalisers.end())
      reject("prompting: '{}' is the verbaliser of both '{}' and '{}'; give each its own", text,
             labels[static_cast<std::size_t>(same - format.verbalisers.begin())], label);
    format.verbalisers.push_back(std::move(ids));
  }
  return format;
}

PromptFormat language_format(std::int64_t topics) {
  PromptFormat format;
  for (std::int64_t topic = 0; topic < topics; ++topic)
    format.verbalisers.push_back({special_count + static_cast<Token>(topic)});
  return format;
}

PromptFormat format_of(const Json& stored) {
  return {stored.at("verbalisers").get<std::vector<std::vector<Token>>>(),
          stored.at("before").get<std::vector<Token>>(),
          stored.at("after").get<std::vector<Token>>(),
          stored.at("between").get<std::vector<Token>>()};
}

Json prepare_prompting(const Params& settings, const Preparation& preparation) {
  Json prepared = prepare_labelled(settings, preparation);
  if (!prepared.contains("labelled")) return prepared;
  const data::Corpus corpus = data::Corpus::open(
      preparation.cache / (prepared.at("labelled").get<std::string>() + ".corpus"));
  const PromptFormat format =
      prompt_format(settings, corpus.about().at("names").get<std::vector<std::string>>(),
                    *preparation.tokenizer());
  prepared["prompt"] = {{"verbalisers", format.verbalisers},
                        {"before", format.before},
                        {"after", format.after},
                        {"between", format.between}};
  return prepared;
}

}  // namespace ablate::probes
