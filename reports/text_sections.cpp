#include "reports/text_sections.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "reports/tables/texts/prompt_tables.h"
#include "reports/tables/texts/sampler_tables.h"
#include "reports/text/number.h"
#include "reports/text/sample.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kSamplesPerArm = 3;
constexpr std::size_t kMaxCharacters = 600;

std::string about_text(const Json& about) {
  std::string text;
  if (!about.is_object()) return text;
  for (const auto& [key, value] : about.items()) {
    if (value.is_structured() || value.is_null() || key == "prompt") continue;
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', ' ');
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        value.is_number()   ? significant(value.get<double>(), 4)
                        : value.is_string() ? with_line_ends(value.get<std::string>())
                                            : value.dump());
  }
  return text;
}

Section prompts_section(const Analysis& analysis) {
  Section section{"prompts", "The same prompts, given to every arm", {}};
  bool exact = false;
  for (Table& table : prompt_tables(analysis)) {
    exact |= std::ranges::any_of(
        table.columns, [](const Column& column) { return column.title.ends_with("exact"); });
    section.add(std::move(table));
  }
  std::string about = "Answers of each arm's first seed, in the format that it was trained on.";
  if (exact)
    about +=
        " \"Exact\" is the posterior of the built-in language, given what a format of that kind "
        "shows.";
  section.introduce(std::move(about));
  return section;
}

Section samplers_section(const Analysis& analysis) {
  Section section{"samplers", "The same beginnings, by every sampler", {}};
  for (Table& table : sampler_tables(analysis)) section.add(std::move(table));
  section.introduce(
      "What each sampler drew from each arm's first seed, not chosen. Arms that fill masks are "
      "told the length of a text. On the built-in language the log-probability is exact: of "
      "what was drawn, given what stands around it.");
  return section;
}

/// Whether a sample stands in no table: answers to prompts do, and what named samplers drew.
bool in_no_table(const store::Sample& sample) {
  return !answers_prompt(sample) && !is_of_sampler(sample);
}

/// The texts of a trial that a probe stored and that stand in no table.
std::vector<store::Sample> texts_of(const store::TrialRecord& trial, const std::string& probe) {
  std::vector<store::Sample> texts;
  std::ranges::copy_if(trial.samples, std::back_inserter(texts), [&](const store::Sample& each) {
    return in_no_table(each) && each.probe == probe;
  });
  return texts;
}

/// The probes that stored texts for samples_section(): that which draws freely, then the others.
std::vector<std::string> probes_with_texts(const Analysis& analysis) {
  std::vector<std::string> probes;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials)
      for (const store::Sample& sample : trial->samples)
        if (in_no_table(sample) && std::ranges::find(probes, sample.probe) == probes.end())
          probes.push_back(sample.probe);
  std::stable_partition(probes.begin(), probes.end(), [](const std::string& probe) {
    return probe == metric_names::kGeneration;
  });
  return probes;
}

/// The head of the section of a probe's texts. Texts of different probes answer different questions.
Section section_of(const std::string& probe) {
  if (probe.empty() || probe == metric_names::kGeneration)
    return {"samples", "Generated samples", {}};
  std::string name = probe;
  std::erase_if(name, [](char c) { return c < 'a' || c > 'z'; });
  return {fmt::format("samples-{}", name), fmt::format("Samples of {}", readable(probe)), {}};
}

Section samples_section(const Analysis& analysis, const std::string& probe) {
  Section section = section_of(probe);
  bool marked = false;
  std::vector<Passages> rows;  // the first texts of all arms, then the second ones
  for (const ArmResult& arm : analysis.arms) {
    const auto trial = std::ranges::find_if(arm.trials, [&](const store::TrialRecord* each) {
      return !texts_of(*each, probe).empty();
    });
    if (trial == arm.trials.end()) continue;
    const std::vector<store::Sample> samples = texts_of(**trial, probe);
    for (std::size_t i = 0; i < std::min(samples.size(), kSamplesPerArm); ++i) {
      const std::string text = marked_text(samples[i]);
      marked = marked || text != samples[i].text;
      if (i == rows.size()) rows.push_back({fmt::format("Text {}", i + 1), {}});
      rows[i].texts.push_back({fmt::format("{}, seed {}", arm.label, (*trial)->seed),
                               shortened(readable(with_line_ends(text), true), kMaxCharacters),
                               about_text(samples[i].about)});
    }
  }
  for (Passages& row : rows) section.blocks.push_back(std::move(row));
  section.introduce(
      fmt::format("The first texts of each arm's first seed, not chosen.{}",
                  marked ? fmt::format(" {} marks where the prompt ends and what was generated "
                                       "begins.",
                                       kPromptEnd)
                         : ""));
  return section;
}

}  // namespace

std::vector<Section> text_sections(const Analysis& analysis) {
  std::vector<Section> sections = {prompts_section(analysis), samplers_section(analysis)};
  for (const std::string& probe : probes_with_texts(analysis))
    sections.push_back(samples_section(analysis, probe));
  return sections;
}

}  // namespace ablate::reports
