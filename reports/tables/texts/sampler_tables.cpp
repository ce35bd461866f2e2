#include "reports/tables/texts/sampler_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "reports/text/number.h"
#include "reports/text/sample.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxTextShown = 400;  // characters

std::string text_about(const store::Sample& sample, const char* key) {
  const Json value = sample.about.is_object() ? sample.about.value(key, Json()) : Json();
  return value.is_string() ? value.get<std::string>() : "";
}

std::string safe(const std::string& text) {
  return shortened(readable(with_line_ends(text)), kMaxTextShown);
}

/// The samplers' texts of the arm's first trial that has some.
std::vector<store::Sample> sampled_by(const ArmResult& arm) {
  for (const store::TrialRecord* trial : arm.trials) {
    std::vector<store::Sample> samples;
    std::ranges::copy_if(trial->samples, std::back_inserter(samples), is_of_sampler);
    if (!samples.empty()) return samples;
  }
  return {};
}

/// Adds a row to the table of what the sample was shown.
void add_sample(std::vector<Table>& tables, const ArmResult& arm, const store::Sample& sample) {
  const std::string caption = safe(text_about(sample, "shown"));
  auto table = std::ranges::find(tables, caption, &Table::caption);
  if (table == tables.end()) {
    tables.push_back(
        {.name = fmt::format("sampled-{}", tables.size() + 1),
         .caption = caption,
         .columns = {{.title = "arm"},
                     {.title = "sampler"},
                     {.title = "drawn"},
                     {.title = "log-probability", .unit = "nats/token", .numbers = true}},
         .source =
             "`about` of the table sample in index.sqlite, of the arm's first trial with texts"});
    table = std::prev(tables.end());
    const std::string truth = text_about(sample, "truth");
    if (!truth.empty()) table->notes.push_back(fmt::format("In the text: {}", safe(truth)));
  }
  const Json log_probability = sample.about.value("log_probability", Json());
  table->rows.push_back(
      {.cells = {text_cell(arm.label), text_cell(safe(text_about(sample, "sampler"))),
                 text_cell(safe(text_about(sample, "drawn"))),
                 text_cell(log_probability.is_number()
                               ? significant(log_probability.get<double>(), 3)
                               : "")},
       .origin = arm.anchor});
}

}  // namespace

bool is_of_sampler(const store::Sample& sample) { return !text_about(sample, "sampler").empty(); }

std::vector<Table> sampler_tables(const Analysis& analysis) {
  std::vector<Table> tables;
  for (const ArmResult& arm : analysis.arms)
    for (const store::Sample& sample : sampled_by(arm)) add_sample(tables, arm, sample);
  return tables;
}

}  // namespace ablate::reports
