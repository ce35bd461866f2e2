// Lays the families out as text.

#include "harness/plan/describe/description.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "harness/base/number_text.h"

namespace ablate::plan {
namespace {

constexpr std::string_view kColumns = "Settings: name, default, accepted, description\n";

/// What a parameter accepts, in words; empty if any value of its kind is accepted.
std::string accepted(const Param& param) {
  const std::string choices = fmt::format("{}", fmt::join(choices_of(param), "|"));
  switch (param.kind) {
    case Kind::number:
    case Kind::integer:
      return fmt::format("[{}, {}]  ", plain_number(param.minimum), plain_number(param.maximum));
    case Kind::choice:
      return choices + "  ";
    case Kind::list:
      return fmt::format("{}at most {:g}  ", choices.empty() ? "" : choices + ", ", param.maximum);
    default:
      return "";
  }
}

/// The start of a setting's line: its name and `value`, each in its column.
std::string columns(std::string_view name, std::string_view value, const std::string& indent) {
  std::string text = fmt::format("{}{}", indent, name);
  text.resize(std::max<std::size_t>(text.size() + 1, 24), ' ');
  if (value.empty()) return text;
  text += value;
  text.resize(std::max<std::size_t>(text.size() + 2, 38), ' ');
  return text;
}

/// Adds words to a line that is begun, in lines of at most `width` columns; those that follow are
/// indented by `indent`.
void add_wrapped(std::string& text, std::string_view words, std::size_t indent, std::size_t width) {
  const std::size_t newline = text.rfind('\n');
  std::size_t column = newline == text.npos ? text.size() : text.size() - newline - 1;
  for (bool begins = true; !words.empty(); begins = false) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (column + !begins + word.size() > width && column > indent) {
      while (text.ends_with(' ')) text.pop_back();
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!begins) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  text += '\n';
}

/// A line "name: words", wrapped.
std::string named_line(std::string_view name, std::string_view words, std::size_t width) {
  std::string text = fmt::format("{}: ", name);
  add_wrapped(text, words, std::min<std::size_t>(text.size(), 9), width);
  return text;
}

constexpr std::size_t kWordsAt = 38;  // the column of what a setting accepts and does

/// A parameter with its fields below it.
std::string setting_text(const Param& param, const std::string& indent, std::size_t width) {
  std::string value;  // a section has none of its own
  if (!param.default_value.is_null())
    value = canonical(param.default_value);
  else if (param.kind != Kind::section)
    value = is_required(param) ? "required" : "optional";
  std::string text = columns(param.name, value, indent);
  add_wrapped(text, fmt::format("{}{}", accepted(param), param.description), kWordsAt, width);
  if (has_fields(param))
    for (const Param& field : param.fields) text += setting_text(field, indent + "  ", width);
  return text;
}

std::string text_of(const Entry& entry, Setting setting, std::size_t width) {
  if (setting != nullptr) return setting_text(*setting, "  ", width);
  std::string text = columns(entry.name, "optional", "  ");
  add_wrapped(text, entry.summary, kWordsAt, width);
  return text;
}

/// "topic.bayes (ceiling), topic.untrained (the untrained model)"
std::string bounds_text(const std::vector<Bound>& bounds) {
  std::vector<std::string> texts;
  texts.reserve(bounds.size());
  for (const Bound& bound : bounds)
    texts.push_back(fmt::format("{} ({})", bound.text(),
                                bound.is_floor() ? words_of(bound.kind) : name_of(bound.kind)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string text_of(const Entry& entry, const MeasuredMetric& measured, std::size_t width) {
  const Metric& metric = measured.metric;
  const std::string label = metric.label.empty() ? "" : fmt::format(": {}", metric.label);
  std::string text = "  ";
  add_wrapped(text,
              fmt::format("{}{} [{}; better: {}; comparable across {}]", entry.name, label,
                          metric.unit, name_of(metric.better), name_of(metric.comparable_across)),
              6, width);
  text += "      ";
  add_wrapped(text, metric.description, 6, width);
  if (metric.bounds.empty()) return text;
  text += "      ";
  add_wrapped(text, "read against: " + bounds_text(metric.bounds), 6, width);
  return text;
}

std::string text_of(const Entry& entry, const Member& member, std::size_t width) {
  std::string text = named_line(entry.name, entry.summary, width);
  if (const ObjectiveSpec* const spec = member.objective) {
    text += fmt::format("\n{}\n\n{}", spec->picture, named_line("Source", spec->source, width));
    for (const std::string_view line : lines_in(spec->differs))
      text += named_line("Differs", line, width);
  }
  if (!member.source.empty()) text += named_line("Source", member.source, width);
  if (!member.params.empty()) text += fmt::format("\n{}", kColumns);
  for (const Param& param : member.params) text += setting_text(param, "  ", width);
  return text;
}

std::string text_of(const Entry& entry, std::size_t width) {
  return std::visit([&](const auto& details) { return text_of(entry, details, width); },
                    entry.details);
}

/// The entries of a family in full. Members are separated by an empty line.
std::string text_of(const std::vector<Entry>& family, std::size_t width) {
  std::string text;
  for (const Entry& entry : family) {
    if (!text.empty() && std::holds_alternative<Member>(entry.details)) text += "\n";
    text += text_of(entry, width);
  }
  return text;
}

/// Settings below what has them, those that read the same together.
std::string text_of(const std::vector<OwnedSetting>& settings, std::size_t width) {
  std::vector<std::pair<std::string, std::string>>
      owners_by_text;  // in the order of the first owner
  for (const OwnedSetting& each : settings) {
    std::string words = text_of(each.setting, width);
    const auto same =
        std::ranges::find(owners_by_text, words, &std::pair<std::string, std::string>::first);
    if (same == owners_by_text.end())
      owners_by_text.emplace_back(std::move(words), each.owner);
    else
      same->second += ", " + each.owner;
  }
  std::string text(kColumns);
  for (const auto& [words, owners] : owners_by_text) {
    add_wrapped(text, owners, 0, width);
    text += words;
  }
  return text;
}

/// The entries of a family, one line each: name and summary.
std::string overview(std::string_view family, const std::vector<Entry>& entries,
                     std::size_t width) {
  std::size_t widest = 0;
  for (const Entry& entry : entries) widest = std::max(widest, entry.name.size());
  std::string text = fmt::format("{}\n", family);
  for (const Entry& entry : entries) {
    std::string line = "  " + entry.name;
    line.resize(widest + 4, ' ');
    add_wrapped(line, entry.summary, widest + 4, width);
    text += line;
  }
  return text;
}

/// What a word of the field is here, and an empty line.
std::string text_of(const FieldWord& word, std::size_t width) {
  std::string text;
  add_wrapped(text,
              fmt::format("{} is {} here{}{}.", word.word, word.name, word.note.empty() ? "" : ", ",
                          word.note),
              0, width);
  return text + "\n";
}

/// The line above the entries of a family, where their names do not say what they are.
std::string heading(std::string_view family) {
  if (family == "train") return fmt::format("train: how every arm is trained\n\n{}", kColumns);
  if (family == "at")
    return fmt::format("at: when a probe measures on the way, one of these\n\n{}", kColumns);
  if (family == "phases")
    return fmt::format("phases: consecutive stretches of training, a list under train\n\n{}",
                       kColumns);
  if (family == "sweep")
    return fmt::format("arms: a list; each entry is one arm, or a sweep that makes several\n\n{}",
                       kColumns);
  if (family == "backbones")
    return "model: one of these, named by \"backbone\", with its settings\n\n";
  if (family == "mixers") return "model.layers: a list of these, repeated to the depth\n\n";
  if (family == "feed_forwards")
    return "model.feed_forwards: a list of these or \"none\", repeated to the depth\n\n";
  if (family == "prediction_heads")
    return "what a model predicts with; each objective asks for those that it needs\n\n";
  if (family == "objectives")
    return "objective: one of these, named by \"type\", with its settings\n\n";
  if (family == "corpora") return "corpus: one of these, named by \"kind\", with its settings\n\n";
  if (family == "probes")
    return "probes: a list of these, each named by \"type\", with its settings\n\n";
  return "";
}

}  // namespace

std::string description(const Families& families, const std::string& name, FieldWords words,
                        std::size_t width) {
  if (!name.empty()) {
    const Named named = find_named(families, name, words);
    const std::string called = named.word == nullptr ? "" : text_of(*named.word, width);
    if (named.family != nullptr)
      return called + heading(named.family_name) + text_of(*named.family, width);
    return called +
           (named.entry != nullptr ? text_of(*named.entry, width) : text_of(named.settings, width));
  }
  std::string text;
  for (const std::string_view family : described_families())
    if (family != "metrics" && !families.at(family).empty())
      text += overview(family, families.at(family), width);
  return text +
         fmt::format(
             "\n`ablate describe NAME` tells more about one of them; `ablate describe metrics` "
             "lists\nthe {} metrics.\n",
             families.at("metrics").size());
}

}  // namespace ablate::plan
