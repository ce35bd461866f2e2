// Times benchmarks: two programs in turns, every repetition kept.

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/nightly/judge/times.h"
#include "harness/nightly/programs/programs.h"

namespace ablate::nightly {

/// What is timed, and how often.
struct TimingOrder {
  std::string filter;            // regular expression of the benchmarks' names
  std::int64_t repetitions = 0;  // rounds
  double seconds = 0;            // of a repetition, at least
};

/// One program that is timed, and what stands for it in the records: "now" or "baseline".
struct TimedProgram {
  std::string name;
  Programs programs;
};

/// The regular expression that matches these names of benchmarks and no other.
std::string filter_of(const std::vector<std::string>& names);

/// Runs `order.repetitions` rounds; in each, every program times all benchmarks once, in random
/// order, and so the programs among themselves. So both meet the same moods of the machine. Each
/// repetition is appended to `file` as it is made: {"series", "unit", "value", "repetition",
/// "order", "turn", "program", "build", "commit", "started", "machine"}, and {"round"} at the end of
/// each; rounds that the file has complete are not run again. "order" is the benchmark's place in the random order of its program's round, "turn"
/// the program's place in the round, both from 0; "machine" is the fingerprint. What is behind it
/// comes first, in a line of its own: {"context": {"fingerprint", "machine": describe_machine()}}.
/// Seconds are of the processor's time, or of the clock where the benchmark's author asks for that.
/// `progress` is called after each round with its number. Returns what failed, by program, in words;
/// its other rounds are not run.
std::map<std::string, std::string> time_in_turns(
    const std::vector<TimedProgram>& programs, const TimingOrder& order,
    const std::filesystem::path& file, const Json& machine,
    const std::function<void(std::int64_t round)>& progress);

/// The descriptions of the machines in a file, by fingerprint; none in files of earlier versions.
/// Throws as read_times().
std::map<std::string, Json> read_machines(const std::filesystem::path& file);

/// The repetitions of the complete rounds in a file; none where there is no file. Throws DamagedFile
/// where a line does not verify, or is no repetition.
Times read_times(const std::filesystem::path& file);

/// A benchmark's name and its time in seconds.
using NamedTime = std::pair<std::string, double>;

/// The repetitions in the JSON that Google Benchmark writes, in the order in which they ran: without
/// aggregates and without benchmarks that ended with an error. Throws std::runtime_error for another
/// document.
std::vector<NamedTime> times_in(const Json& document);

}  // namespace ablate::nightly
