// The records of a night: started.json while it is made, night.json of its end, gate.json of its
// verdict.

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/nightly/judge/times.h"
#include "harness/nightly/measure/night.h"

namespace ablate::nightly {

/// What a finding rests on, as far as histories keep it. Records of earlier versions have less of it.
struct StoredNumbers {
  std::optional<double> now, baseline;  // of a metric: the mean of both programs
  std::optional<double> margin;         // its smallest worsening that matters
  std::optional<double> ratio, p;       // of a benchmark's times: now to the baseline's
  std::optional<double> low, high;      // the interval
  std::string unit, better;             // of a metric
  std::string digest;                   // of what is compared exactly
  bool confirmation = false;            // whether an alarm was measured a second time
};

/// One series and its verdict. See Finding.
struct StoredFinding {
  std::string series, kind, verdict, reason;
  StoredNumbers numbers;
};

/// The verdict on a night.
struct StoredVerdict {
  std::string verdict;
  std::map<std::string, int> counts;    // of findings, by verdict
  std::vector<StoredFinding> findings;  // the most urgent first
};

/// Writes NIGHT/started.json; all of it or nothing.
void write_started(const NightIdentity& identity, const std::filesystem::path& folder);

/// Reads it; empty where there is none. Throws DamagedFile where it does not verify.
std::optional<NightIdentity> read_started(const std::filesystem::path& folder);

/// Takes the hashes of the records in the night's folder, and writes NIGHT/night.json; all of it or
/// nothing.
void write_night(Night& night);

/// Reads a night's night.json. Throws std::runtime_error where there is none, DamagedFile where it
/// does not verify.
Night read_night(const std::filesystem::path& folder);

/// Throws DamagedFile where a record of the night was changed, is gone or was added since it ended.
void verify_records(const Night& night);

/// The repetitions in bench.jsonl or confirm.jsonl; none where the night has no such file. Throws
/// DamagedFile where it is not what the night ended with.
Times times_of(const Night& night, const std::string& name);

/// Reads gate.json. Throws std::runtime_error where it cannot be read, DamagedFile where it does not
/// verify or is none.
StoredVerdict read_verdict(const std::filesystem::path& file);

}  // namespace ablate::nightly
