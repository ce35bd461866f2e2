#include "experiments/commands/running/plan_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <vector>

#include "harness/base/number_text.h"
#include "harness/plan/file/merge.h"
#include "harness/plan/price/memory.h"
#include "harness/run/progress/text.h"

namespace ablate::commands {
namespace {

/// Counts below 1e9 in full; smaller and larger numbers with four digits: "1234567", "2.796",
/// "7.941e+11".
std::string brief(double value) {
  return value >= 1000 && value < 1e9 ? plain_number(std::round(value)) : significant(value);
}

/// A line about documents that occur more than once; empty where there are none.
std::string copies_text(const Json& corpus) {
  const Json copies = corpus.value("copies", Json::object());
  const auto training = copies.value("training", std::int64_t{0}),
             held_out = copies.value("held_out", std::int64_t{0});
  if (training + held_out == 0) return {};
  return fmt::format(
      "  {}: {} training and {} held-out documents are copies of others, but no document is in "
      "both parts\n",
      corpus.at("name").get<std::string>(), training, held_out);
}

/// Prints what both parts of every corpus hold.
void print_corpora(std::ostream& out, const plan::Plan& plan) {
  static constexpr const char* kCounts[] = {"documents", "bytes", "tokens"};
  const auto shown = [](const Json& number, double scale = 1) {
    return number.is_number() ? brief(scale * number.get<double>()) : std::string("-");
  };
  std::vector<std::vector<std::string>> rows = {{"corpus"}};
  for (const char* prefix : {"", "held-out "})
    for (const char* count : kCounts) rows[0].push_back(std::string(prefix) + count);
  rows[0].insert(rows[0].end(), {"% of tokens", "% asked for"});
  for (const Json& corpus : plan.corpora) {
    auto& row = rows.emplace_back();
    row.push_back(corpus.at("name").get<std::string>());
    for (const char* part : {"training", "held_out"})
      for (const char* count : kCounts) row.push_back(shown(corpus.at(part).at(count)));
    row.push_back(shown(corpus.at("held_out_fraction"), 100));
    row.push_back(shown(corpus.at("held_out_share"), 100));
  }
  out << (plan.corpora.size() == 1 ? "Corpus\n" : "Corpora\n");
  out << run::table_text(rows, "  ");
  for (const Json& corpus : plan.corpora) out << copies_text(corpus);
}

void print_probe_files(std::ostream& out, const plan::Plan& plan) {
  if (plan.probe_files.empty()) return;
  out << "\nFiles of probes\n";
  for (const std::string& sentence : plan.probe_files) out << "  " << sentence << '\n';
}

/// A count of a ledger; "-" where a budget in seconds does not determine it.
std::string count_in(const Json& ledger, const char* column) {
  const double count = ledger.at(column).get<double>();
  return count == 0 && ledger.at("steps") == 0 ? "-" : brief(count);
}

void print_ledger(std::ostream& out, const plan::Plan& plan) {
  static constexpr const char* kColumns[] = {"parameters",  "embeddings",  "steps",
                                             "text_tokens", "targets",     "epochs",
                                             "flops",       "trunk_flops", "head_flops"};
  std::vector<std::vector<std::string>> rows = {{"arm"}};
  for (const char* column : kColumns) rows[0].push_back(column);
  for (std::size_t i = 0; i < plan.arms.size(); ++i) {
    auto& row = rows.emplace_back();
    row.push_back(plan.arms[i].name + (plan.arms[i].baseline ? " (baseline)" : ""));
    for (const char* column : kColumns) row.push_back(count_in(plan.ledger[i], column));
  }
  out << run::table_text(rows, "  ");
}

/// Prints the models' sizes where they differ.
void print_sizes(std::ostream& out, const plan::Plan& plan) {
  static constexpr const char* kSizes[] = {"backbone", "width", "depth", "context"};
  std::vector<std::vector<std::string>> rows = {{"arm"}};
  for (const char* size : kSizes) rows[0].push_back(size);
  bool differ = false;
  for (const plan::Plan::Arm& arm : plan.arms) {
    auto& row = rows.emplace_back();
    row.push_back(arm.name);
    for (const char* size : kSizes) {
      const Json value = arm.config.at("model").value(size, Json(""));
      row.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    }
    differ = differ || !std::equal(row.begin() + 1, row.end(), rows[1].begin() + 1);
  }
  if (!differ) return;
  out << "\nModels\n";
  out << run::table_text(rows, "  ");
}

/// Prints the phases of the arms that have named phases.
void print_phases(std::ostream& out, const plan::Plan& plan) {
  std::vector<std::vector<std::string>> rows = {{"arm"}};
  static constexpr const char* kColumns[] = {"steps", "text_tokens", "targets", "epochs", "flops"};
  rows[0].push_back("phase");
  for (const char* column : kColumns) rows[0].push_back(column);
  rows[0].push_back("corpora");
  for (std::size_t i = 0; i < plan.arms.size(); ++i) {
    const Json phases = plan.ledger[i].value("phases", Json::array());
    for (const Json& phase : phases) {
      auto& row = rows.emplace_back();
      row = {plan.arms[i].name, phase["phase"]};
      for (const char* column : kColumns) row.push_back(count_in(phase, column));
      row.push_back(phase["corpora"]);
    }
  }
  if (rows.size() == 1) return;
  out << "\nPhases, in order\n";
  out << run::table_text(rows, "  ");
}

/// Prints when probes measure on the way: the steps of the first trial, which are as a rule those of
/// all.
void print_points(std::ostream& out, const plan::Plan& plan) {
  if (plan.trials.empty()) return;
  const plan::Trial& trial = plan.trials.front();
  std::vector<std::vector<std::string>> rows = {{"probe", "points", "after steps"}};
  std::set<std::int64_t> all;
  for (const Json& probe : trial.probes.settings()) {
    std::vector<std::int64_t> steps;
    const Json points = probe.value("at", Json::array());
    for (const Json& point : points) steps.push_back(point.at("step"));
    if (steps.empty()) continue;
    rows.push_back({plan::probe_name(probe), std::to_string(steps.size()),
                    fmt::format("{}", fmt::join(steps, ", "))});
    all.insert(steps.begin(), steps.end());
  }
  if (all.empty()) return;
  constexpr double kBytes = 4;  // of a parameter
  const double megabytes = kBytes * static_cast<double>(trial.parameters.total) / 1e6;
  out << "\nAlso measured during training (" << trial.arm << ")\n";
  out << run::table_text(rows, "  ");
  out << "  Weights are kept until they are measured: " << all.size() << " x "
      << significant(megabytes, 3) << " MB a trial.\n";
}

void print_match(std::ostream& out, const plan::Plan& plan) {
  if (plan.match.empty()) {
    out << "\nMatched on nothing: \"match\" names no count.\n";
    return;
  }
  out << "\nMatched on\n";
  std::vector<std::vector<std::string>> rows = {
      {"count", "minimum", "maximum", "spread %", "tolerance %"}};
  for (const store::MatchedCount& each : plan.match)
    rows.push_back({each.on, brief(each.low), brief(each.high), brief(100 * each.spread),
                    brief(100 * each.tolerance)});
  out << run::table_text(rows, "  ");
}

/// Prints what banks hold in the memory of a GPU.
void print_memory(std::ostream& out, const plan::Plan& plan) {
  std::map<std::string, std::size_t> trials;
  for (const plan::Trial& trial : plan.trials) ++trials[trial.arm];
  std::vector<std::vector<std::string>> rows = {{"arm", "one lane, MB", "lanes", "all lanes, MB"}};
  for (std::size_t i = 0; i < plan.arms.size(); ++i) {
    const Json& row = plan.ledger[i];
    const plan::LaneMemory memory = {row.at("gpu_bytes_a_lane"), row.at("gpu_bytes_of_logits")};
    const std::size_t lanes = trials[plan.arms[i].name];
    const auto megabytes = [&](std::size_t count) {
      return memory.bytes > 0 ? plain_number(std::round(plan::bank_bytes(memory, count) / 1e6))
                              : std::string("-");
    };
    rows.push_back({plan.arms[i].name, megabytes(1), plain_number(static_cast<double>(lanes)),
                    megabytes(lanes)});
  }
  out << "\nEstimated GPU memory of a bank\n";
  out << run::table_text(rows, "  ");
}

std::string seconds_text(const Json& seconds) { return estimate_text(seconds.get<double>()); }

/// "12 trials in 1 compatible group" of trials that one model can train; before learning rates are chosen, that they are tuned.
std::string trials_text(const plan::Plan& plan) {
  if (!plan.tuning.is_null()) return "each with a learning rate tuned first";
  std::ostringstream out;
  out << plan.trials.size() << (plan.trials.size() == 1 ? " trial" : " trials") << " in "
      << plan.banks.size() << (plan.banks.size() == 1 ? " compatible group" : " compatible groups")
      << " (the trials of a group can train as one model: --lanes)";
  return std::move(out).str();
}

/// Prints what is trained before learning rates are chosen, and what after.
void print_stages(std::ostream& out, const plan::Plan& plan) {
  const Json& tuning = plan.tuning;
  const auto rates = tuning.at("rates").get<std::vector<double>>();
  const Json &result = tuning.at("result"), &trials = result.at("trials"),
             &seconds = result.at("estimate_seconds");
  out << "\nStages\n  tuning: every arm tries " << rates.size() << " learning rates, "
      << plain_number(rates.front()) << " to " << plain_number(rates.back()) << ", with "
      << tuning.at("seeds").size() << (tuning.at("seeds").size() == 1 ? " seed" : " seeds")
      << " of its own: " << tuning.at("trials") << " trials, " << brief(tuning.at("flops"))
      << " FLOPs, about " << seconds_text(tuning.at("estimate_seconds")) << "\n          chosen by "
      << tuning.at("criterion").at("name").get<std::string>()
      << " on a development part; more are tried if an arm does best at an edge\n  result: every "
         "arm at its "
         "own rate and at the baseline's: "
      << trials.front() << " to " << trials.back() << " trials, about "
      << seconds_text(seconds.front()) << " to " << seconds_text(seconds.back()) << '\n';
}

/// How much of the time is measuring, and which probes it goes to, the costliest first.
std::string measuring_text(const plan::Measuring& measuring) {
  constexpr double kLeast = 0.01;  // of measuring: what is less is added up
  std::vector<std::pair<double, std::string>> probes;
  for (const auto& [name, fraction] : measuring.by_probe) probes.emplace_back(fraction, name);
  std::sort(probes.rbegin(), probes.rend());
  std::string text;
  double rest = 0;
  for (const auto& [fraction, name] : probes) {
    if (fraction < kLeast)
      rest += fraction;
    else
      text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", name, 100 * fraction);
  }
  if (rest > 0) text += fmt::format(", others {:.1g} %", 100 * rest);
  return fmt::format("{:.0f} % of this is not training{}", 100 * measuring.fraction,
                     text.empty() ? "" : "; the probes' part splits into " + text);
}

}  // namespace

std::string plan_text(const plan::Plan& plan, bool on_gpu) {
  std::ostringstream out;
  std::int64_t specials = special_count;
  const std::string& primary = plan.analysis.primary;
  out << plan.name << (plan.question.empty() ? "" : ": ") << plan.question << "\n\n"
      << plan.arms.size() << (plan.arms.size() == 1 ? " arm, " : " arms, ") << trials_text(plan)
      << "; vocabulary " << plan.vocabulary.size() << " (" << specials << " reserved, "
      << plan.vocabulary.ordinary << " of text, " << plan.vocabulary.sentinels << " sentinels)\n\n";
  print_corpora(out, plan);
  print_probe_files(out, plan);
  out << "\nLedger, per trial\n";
  print_ledger(out, plan);
  print_sizes(out, plan);
  print_phases(out, plan);
  print_points(out, plan);
  print_match(out, plan);
  if (on_gpu) print_memory(out, plan);
  if (!plan.tuning.is_null()) print_stages(out, plan);
  out << '\n'
      << plan.precision << '\n'
      << (primary.empty() ? "No primary metric is named, so no arm is judged"
                          : "The primary metric is " + primary)
      << ". " << plan.power << '\n';
  for (const std::string& warning : plan.warnings)
    if (warning != plan.power) out << "warning: " << warning << '\n';
  out << "\nAbout " << estimate_text(plan.estimate_seconds);
  if (!on_gpu)
    out << " with " << plan.estimate_workers
        << (plan.estimate_workers == 1 ? " worker" : " workers");
  out << " on this machine, if nothing else uses it (" << plan.estimate_basis << ")";
  if (plan.measuring) out << "; " << measuring_text(*plan.measuring);
  out << ".\n";
  return std::move(out).str();
}

}  // namespace ablate::commands
