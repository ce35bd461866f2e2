// night.json, the record of a night, and started.json, of one that is being made.

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/nightly/judge/times.h"
#include "harness/nightly/measure/night.h"

namespace ablate::nightly {

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

/// The verdict on a night, gate.json. Throws std::runtime_error where it cannot be read, DamagedFile
/// where it does not verify.
Json read_verdict(const std::filesystem::path& file);

}  // namespace ablate::nightly
