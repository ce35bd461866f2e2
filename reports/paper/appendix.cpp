#include "reports/paper/appendix.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "harness/base/number_text.h"
#include "reports/analysis/facts.h"
#include "reports/analysis/method.h"
#include "reports/paper/captions.h"
#include "reports/paper/commands.h"
#include "reports/tables/record_tables.h"
#include "reports/text/latex.h"
#include "reports/text/number.h"
#include "reports/text/portable.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

/// The values of a fact in words: "1.13.0"; "not recorded" where no trial has it.
std::string fact_words(const Analysis& analysis, const std::string& fact) {
  const std::vector<std::string> values = recorded(analysis, fact);
  return values.empty() ? "not recorded" : fmt::format("{}", fmt::join(values, "; "));
}

/// A number in every ledger, added up over all trials.
double sum_over_trials(const Analysis& analysis, const char* key) {
  double sum = 0;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials) {
      const Json value = trial->ledger.is_object() ? trial->ledger.value(key, Json()) : Json();
      if (value.is_number()) sum += value.get<double>();
    }
  return sum;
}

std::string seeds_text(const Analysis& analysis) {
  const std::vector<std::int64_t> seeds = seeds_of(analysis);
  return fmt::format(
      "{}: {}. A seed fixes initial weights, data order, noise and the documents of the probes, "
      "and "
      "all arms share it.",
      counted(std::ssize(seeds), "seed"), ranges(seeds));
}

std::string compute_text(const Analysis& analysis) {
  std::int64_t completed = 0, attempts = 0;
  for (const ArmResult& arm : analysis.arms) {
    completed += arm.completed;
    for (const store::TrialRecord* trial : arm.trials) attempts += trial->attempts;
  }
  return fmt::format(
      "{} in {}, {} of them completed; {} of training in all, {}FLOPs by count (a multiplication "
      "and an addition are two). Trials that failed are included.",
      counted(analysis.trials(), "trial"), counted(attempts, "attempt"), completed,
      duration_text(sum_over_trials(analysis, "seconds")),
      amount(sum_over_trials(analysis, "flops")) + " ");
}

std::string hardware_text(const Analysis& analysis) {
  std::string memory = "not recorded";
  if (const auto bytes = recorded(analysis, "memory_bytes"); !bytes.empty())
    memory = amount(std::stod(bytes.front())) + "B";
  return fmt::format(
      "Processor: {}; cores: {}; memory: {}; device: {}; threads of a trial: {}; precision of "
      "products: {}; instructions: {}.",
      fact_words(analysis, "processor"), fact_words(analysis, "cores"), memory,
      fact_words(analysis, "device"), fact_words(analysis, "threads"),
      fact_words(analysis, "precision"), fact_words(analysis, "instructions"));
}

std::string versions_text(const Analysis& analysis) {
  return fmt::format(
      "ablate {}, commit {}; LibTorch {}; compiler {}; kernels {}; operating system {}.",
      fact_words(analysis, "version"), fact_words(analysis, "commit"),
      fact_words(analysis, "library.libtorch"), fact_words(analysis, "compiler"),
      fact_words(analysis, "kernels"), fact_words(analysis, "kernel"));
}

/// As in CITATION.cff.
std::string citation_text(const Analysis& analysis) {
  return fmt::format(
      "The ablate maintainers. ablate: matched comparisons of pre-training objectives for language "
      "models. Version {}, commit {}. Software, Apache-2.0.",
      fact_words(analysis, "version"), fact_words(analysis, "commit"));
}

/// The kind of the corpus that the arms' settings name so; empty where none does.
std::string kind_of(const Analysis& analysis) {
  for (const ArmResult& arm : analysis.arms) {
    const Json corpus = arm.config.is_object() ? arm.config.value("corpus", Json()) : Json();
    if (corpus.is_object() && corpus.contains("kind") && corpus.at("kind").is_string())
      return corpus.at("kind").get<std::string>();
  }
  return "";
}

std::string tokens_text(const std::optional<double>& tokens) {
  return tokens ? amount(*tokens) + " tokens" : "unknown size";
}

std::string data_text(const Analysis& analysis) {
  std::string text;
  for (const store::StoredCorpus& corpus : analysis.plan.corpora)
    text += fmt::format("{}{}: {} for training, {} held out", text.empty() ? "" : "; ",
                        corpus.name.empty() ? "corpus" : corpus.name,
                        tokens_text(corpus.training_tokens), tokens_text(corpus.held_out_tokens));
  if (text.empty()) text = "The plan records no corpus";
  return text +
         (kind_of(analysis) == "language"
              ? ". The text is drawn from a probabilistic language that ablate itself defines; no "
                "licence of others applies."
              : ". Licence of the text: not recorded; to be stated by the authors.");
}

std::string hashes_text(const Analysis& analysis) {
  std::string text;
  const auto add = [&](const std::string& what, const std::string& hash) {
    if (!hash.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : "; ", what, hash);
  };
  add("plan", analysis.plan.sha256);
  for (const store::StoredCorpus& corpus : analysis.plan.corpora)
    add("corpus " + (corpus.name.empty() ? "main" : corpus.name), corpus.hash);
  for (const std::string& hash : recorded(analysis, "program_sha256")) add("program", hash);
  return text.empty() ? "none recorded" : text;
}

std::string failures_text(const Analysis& analysis) {
  std::vector<std::string> lines = failures(analysis);
  for (std::string& line : missing_values(analysis)) lines.push_back(std::move(line));
  return lines.empty() ? "Every trial of the plan completed, with a value of every metric."
                       : fmt::format("{}.", fmt::join(lines, "; "));
}

}  // namespace

std::vector<AppendixEntry> reproducibility(const Analysis& analysis) {
  return {{"Seeds", seeds_text(analysis)},
          {"Error bars",
           "Intervals are 95 % t-intervals over seeds; they say nothing of other data or other "
           "settings. " +
               method(analysis)},
          {"Compute", compute_text(analysis)},
          {"Hardware", hardware_text(analysis)},
          {"Code and versions", versions_text(analysis)},
          {"Command", commands_text(analysis), true},
          {"To repeat", repeat_text(analysis), true},
          {"To cite", citation_text(analysis)},
          {"Data", data_text(analysis)},
          {"SHA-256", hashes_text(analysis), true},
          {"Failures", failures_text(analysis)}};
}

std::string appendix(const std::vector<AppendixEntry>& statements) {
  std::string out;
  for (const AppendixEntry& statement : statements)
    out += fmt::format("\\paragraph{{{}.}}\n{}\n\n", latex_text(statement.heading),
                       statement.is_code ? fmt::format("{{\\small\\ttfamily\\raggedright {}\\par}}",
                                                       latex_breakable(statement.text, 1))
                                         : latex_breakable(statement.text));
  return out;
}

}  // namespace ablate::reports
