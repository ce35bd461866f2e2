// How long trials take on this machine, from how long others took.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/plan/trial/trial.h"

namespace ablate::plan {

/// What a worker did: trials that were trained as one model, whole, on a device.
struct Timing {
  std::string device;
  std::vector<Trial> trials;
  double training = 0;  // seconds
  double beside = 0;    // seconds: start, data, model, probes
};

/// What was measured here before, by what decides speed: objective, model, batch, precision,
/// kernels, dropout, packing, lanes, device and probes. Kept in the cache as speeds.json.
class Speeds {
 public:
  /// Of a file; nothing where there is none, or it is not ours.
  static Speeds read(const std::filesystem::path& file);

  /// Keeps the kinds that were observed last, as many as read() takes.
  void write(const std::filesystem::path& file) const;

  /// Takes in what one worker did, after what this object observed of the same kind before.
  void observe(const Timing& timing);

  /// Lays what `other` observed over this, kind by kind.
  void renew(const Speeds& other);

  /// Seconds of a worker with these trials as one model: at the speed of the same kind; else of the
  /// nearest in FLOPs a step on such a device; else at an assumed one.
  double seconds(const std::vector<Trial>& trials, const std::string& device) const;

  /// The same of trials that were trained before, and are to be measured alone.
  double seconds_beside(const std::vector<Trial>& trials, const std::string& device) const;

  bool empty() const { return kinds_.empty(); }

 private:
  struct Kind {
    double flops = 0;     // of training, and
    double training = 0;  // seconds of it
    double beside = 0;    // seconds, of all workers seen, and
    double trials = 0;    // how many they had
    double size = 0;      // FLOPs a step
    std::string device;   // "cpu", "cuda"
    double turn = 0;      // when it was observed last, counted in observations
  };
  const Kind* closest_match(const std::string& device, double size) const;
  const Kind* kind_for(const std::vector<Trial>& trials, const std::string& device) const;

  std::map<std::string, Kind> kinds_;
  double turn_ = 0;  // the last
};

/// Where speeds are kept.
std::filesystem::path speeds_file();

/// Seconds until all is done, where each of `workers` takes the next piece when it has ended one.
double makespan(const std::vector<double>& pieces, std::size_t workers);

}  // namespace ablate::plan
