#include "harness/nightly/measure/timing.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/checksummed.h"
#include "harness/base/json/parse.h"
#include "harness/base/posix/unsynced_file.h"
#include "harness/base/rng.h"
#include "harness/base/time/clock.h"
#include "harness/nightly/measure/machine.h"
#include "harness/run/worker/process.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

double seconds_in(const Json& benchmark) {
  const std::string name = benchmark.at("name"), unit = benchmark.at("time_unit");
  const bool clock = name.ends_with("/real_time") || name.ends_with("/manual_time");
  const double value = benchmark.at(clock ? "real_time" : "cpu_time");
  const double factor = unit == "ns" ? 1e-9 : unit == "us" ? 1e-6 : unit == "ms" ? 1e-3 : 1;
  return value * factor;
}

// The lines of the complete rounds of a file, and their bytes. What follows the last round's end was
// cut off when it was written.
struct Rounds {
  std::vector<Json> lines;
  std::int64_t number = 0;  // of the last round
  std::size_t bytes = 0;
  std::string sum;  // of the last line
};

Rounds rounds_in(const fs::path& file) {
  Rounds rounds;
  if (!fs::exists(file)) return rounds;
  CheckedLines checked = checked_lines(read_file(file), file.string());
  std::size_t complete = 0;  // lines
  try {
    for (std::size_t i = 0; i < checked.lines.size(); ++i) {
      if (!checked.lines[i].contains("round")) continue;
      complete = i + 1;
      rounds.number = integer_in(checked.lines[i].at("round"));
    }
  } catch (const Json::exception& error) {
    damaged("{}: {}; remove the file to measure anew", file.string(), error.what());
  }
  if (complete == 0) return rounds;
  rounds.bytes = checked.ends[complete - 1];
  rounds.sum = checked.sums[complete - 1];
  checked.lines.resize(complete);
  rounds.lines = std::move(checked.lines);
  return rounds;
}

void cut_after(const fs::path& file, std::size_t bytes) {
  if (!fs::exists(file)) return;
  const std::string text = read_file(file);
  if (bytes != text.size()) write_file(file, std::string_view(text).substr(0, bytes));
}

void add_repetition(const Json& line, Repetitions& to) {
  const Json& value = line.at("value");  // JSON has null for what is no number
  if (to.values.empty()) {
    to.started = line.value("started", "");
    to.build = line.value("build", "");
  }
  to.values.push_back(value.is_null() ? std::nan("") : value.get<double>());
  to.units.insert(line.value("unit", "s"));
  to.machines.insert(line.value("machine", ""));
}

Json context_line(const Json& machine) {
  Json line;
  line["context"] = {{"fingerprint", fingerprint_of(machine)}, {"machine", machine}};
  return line;
}

// One round of one program: what it printed, or why there is nothing.
struct Round {
  std::vector<NamedTime> seconds;
  std::string build, commit;  // of the program; empty where it does not say
  std::string failure;
};

Round time_once(const TimedProgram& program, const TimingOrder& order, const fs::path& scratch) {
  const fs::path out = scratch.string() + ".json", log = scratch.string() + ".log";
  const int status =
      run_program({program.programs.path_of("ablate_bench"), "--benchmark_filter=" + order.filter,
                   fmt::format("--benchmark_min_time={}", order.seconds),
                   "--benchmark_repetitions=1", "--benchmark_enable_random_interleaving=true",
                   "--benchmark_out_format=json", "--benchmark_out=" + out.string()},
                  log);
  Round round;
  if (status != 0) {
    check_room(out);  // on a full disk there is no log that would say so
    round.failure = fmt::format("ablate_bench of {} ended with status {}: {}", program.name, status,
                                run::last_lines(log, 300));
  } else if (!fs::exists(out)) {
    round.failure = fmt::format("ablate_bench of {} wrote no times", program.name);
  } else {
    const Json document = parse_or_discard(read_file(out));  // empty where none matches
    if (!document.is_object()) check_room(out);  // ablate_bench does not say that the disk was full
    if (document.is_object()) round.seconds = times_in(document);
    const Json context =
        document.is_object() ? document.value("context", Json::object()) : Json::object();
    round.build = context.value("build", "");
    round.commit = context.value("commit", "");
    if (round.seconds.empty())
      round.failure = fmt::format("ablate_bench of {} has no benchmark that matches '{}'",
                                  program.name, order.filter);
  }
  std::error_code ignored;
  fs::remove(out, ignored);
  fs::remove(log, ignored);
  return round;
}

}  // namespace

std::vector<NamedTime> times_in(const Json& document) {
  std::vector<NamedTime> times;
  try {
    for (const Json& benchmark : document.at("benchmarks"))
      if (benchmark.value("run_type", "iteration") == "iteration" &&
          !benchmark.value("error_occurred", false))
        times.emplace_back(benchmark.at("name"), seconds_in(benchmark));
  } catch (const Json::exception& error) {
    fail("what ablate_bench wrote is not Google Benchmark's JSON: {}", error.what());
  }
  return times;
}

std::string filter_of(const std::vector<std::string>& names) {
  std::string filter;
  for (const std::string& name : names) {
    filter += filter.empty() ? "^(" : "|";
    for (const char c : name) {
      if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) filter += '\\';
      filter += c;
    }
  }
  return filter + ")$";
}

std::map<std::string, std::string> time_in_turns(
    const std::vector<TimedProgram>& programs, const TimingOrder& order, const fs::path& file,
    const Json& machine, const std::function<void(std::int64_t round)>& progress) {
  std::map<std::string, std::string> failures;
  const Rounds done = rounds_in(file);
  if (done.number >= order.repetitions) return failures;
  const std::string fingerprint = fingerprint_of(machine);
  cut_after(file, done.bytes);
  const bool known = read_machines(file).contains(fingerprint);
  AppendFile out(file);
  LineChain chain(done.sum);
  if (!known) out.append(chain.next(context_line(machine)), Durable::with_next);
  for (std::int64_t number = done.number + 1; number <= order.repetitions; ++number) {
    std::vector<const TimedProgram*> turns;
    for (const TimedProgram& program : programs)
      if (!failures.contains(program.name)) turns.push_back(&program);
    if (turns.empty()) break;
    Rng rng(1, Stream::probes, static_cast<std::uint64_t>(number));
    if (rng.probability(0.5)) std::reverse(turns.begin(), turns.end());
    for (std::size_t turn = 0; turn < turns.size(); ++turn) {
      const std::string started = utc_now();
      const Round round = time_once(*turns[turn], order, file);
      if (!round.failure.empty()) failures[turns[turn]->name] = round.failure;
      for (std::size_t place = 0; place < round.seconds.size(); ++place)
        out.append(chain.next({{"series", round.seconds[place].first},
                               {"unit", "s"},
                               {"value", round.seconds[place].second},
                               {"repetition", number},
                               {"order", place},
                               {"turn", turn},
                               {"program", turns[turn]->name},
                               {"build", round.build},
                               {"commit", round.commit},
                               {"started", started},
                               {"machine", fingerprint}}),
                   Durable::with_next);
    }
    if (failures.size() == programs.size()) break;  // a round that nobody ended is none
    out.append(chain.next({{"round", number}}));
    progress(number);
  }
  return failures;
}

std::map<std::string, Json> read_machines(const fs::path& file) {
  std::map<std::string, Json> machines;
  try {
    for (const Json& line : rounds_in(file).lines)
      if (line.contains("context"))
        machines[line.at("context").at("fingerprint")] = line.at("context").at("machine");
  } catch (const Json::exception& error) {
    damaged("{}: {}; remove the file to measure anew", file.string(), error.what());
  }
  return machines;
}

Times read_times(const fs::path& file) {
  Times times;
  try {
    for (const Json& line : rounds_in(file).lines)
      if (line.contains("series"))
        add_repetition(line, times[line.at("series")][line.at("program")]);
  } catch (const Json::exception& error) {
    damaged("{}: {}; remove the file to measure anew", file.string(), error.what());
  }
  return times;
}

}  // namespace ablate::nightly
