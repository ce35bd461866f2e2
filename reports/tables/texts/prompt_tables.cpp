#include "reports/tables/texts/prompt_tables.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/text/number.h"
#include "reports/text/sample.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMostCharacters = 400;

std::string told(const Json& about, const char* key) {
  const Json value = about.is_object() ? about.value(key, Json()) : Json();
  return value.is_string() ? value.get<std::string>() : "";
}

/// "of .31 · in .2": tokens and their probabilities.
std::string probabilities(const Json& about, const char* key) {
  std::string text;
  for (const Json& pair : about.value(key, Json::array()))
    if (pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_number())
      text += fmt::format("{}{} {}", text.empty() ? "" : " · ", pair[0].get<std::string>(),
                          significant(pair[1].get<double>(), 2));
  return text;
}

/// What stands in each blank: "of | the".
std::string filling(const Json& parts) {
  std::string text;
  for (std::size_t i = 0; parts.is_array() && i < parts.size(); ++i)
    if (parts[i].is_string())
      text += fmt::format("{}{}", i == 0 ? "" : " | ", parts[i].get<std::string>());
  return text;
}

std::string fillings(const Json& about, const char* key) {
  std::string text;
  for (const Json& one : about.value(key, Json::array()))
    text += (text.empty() ? "" : " / ") + filling(one);
  return text;
}

Cell shown(const std::string& text) {
  return text_cell(shortened(readable(with_line_ends(text)), kMostCharacters));
}

/// The answer of an arm's first trial that was asked; null where none was.
const store::Sample* answer_to(const ArmResult& arm, const std::string& question) {
  for (const store::TrialRecord* trial : arm.trials)
    for (const store::Sample& sample : trial->samples)
      if (told(sample.about, "question") == question) return &sample;
  return nullptr;
}

std::vector<std::string> questions_of(const Analysis& analysis) {
  std::vector<std::string> questions;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials)
      for (const store::Sample& sample : trial->samples) {
        const std::string question = told(sample.about, "question");
        if (answers_prompt(sample) && std::ranges::find(questions, question) == questions.end())
          questions.push_back(question);
      }
  return questions;
}

Row row_of(const ArmResult& arm, const store::Sample& answer, bool exact) {
  const Json& about = answer.about;
  Row row{.cells = {text_cell(arm.label)}, .origin = arm.anchor};
  const std::string note = told(about, "note");
  if (!note.empty()) {
    row.cells.push_back(text_cell(shortened(readable(note), kMostCharacters), Tone::quiet));
    row.cells.resize(exact ? 6 : 5);
    return row;
  }
  row.cells.push_back(text_cell(told(about, "reads")));
  row.cells.push_back(shown(filling(about.value("greedy", Json::array()))));
  row.cells.push_back(shown(fillings(about, "drawn")));
  row.cells.push_back(shown(probabilities(about, "first")));
  if (exact) row.cells.push_back(shown(probabilities(about, "exact")));
  return row;
}

}  // namespace

bool answers_prompt(const store::Sample& sample) { return !told(sample.about, "question").empty(); }

std::vector<Table> prompt_tables(const Analysis& analysis) {
  std::vector<Table> tables;
  for (const std::string& question : questions_of(analysis)) {
    Table table{.name = fmt::format("prompt-{}", tables.size() + 1),
                .caption = shortened(readable(with_line_ends(question)), kMostCharacters)};
    std::vector<std::pair<const ArmResult*, const store::Sample*>> answers;
    for (const ArmResult& arm : analysis.arms)
      if (const store::Sample* answer = answer_to(arm, question))
        answers.emplace_back(&arm, answer);
    const bool exact = std::ranges::any_of(
        answers, [](const auto& pair) { return pair.second->about.contains("exact"); });
    table.columns = {{.title = "arm"},
                     {.title = "reads"},
                     {.title = "most probable"},
                     {.title = "drawn"},
                     {.title = "first token"}};
    if (exact) table.columns.push_back({.title = "first token, exact"});
    for (const auto& [arm, answer] : answers) table.rows.push_back(row_of(*arm, *answer, exact));
    const std::string truth = told(answers.front().second->about, "truth");
    if (!truth.empty())
      table.notes.push_back(fmt::format(
          "In the text: {}", shortened(readable(with_line_ends(truth)), kMostCharacters)));
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace ablate::reports
