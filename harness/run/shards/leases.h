// The leases of a run that shares its results folder with others.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/store/folder/lease.h"

namespace ablate::run {

/// Which trials this run may train. A run that is alone in its folder may train all.
class Leases {
 public:
  /// `seconds`: see SweepSettings::lease_seconds; 0: the run is alone.
  Leases(std::filesystem::path results, double seconds);

  /// What may become of trials that this run would train together.
  enum class Claim {
    ours,       // they can be trained
    waiting,    // another program had one, of which it is not known yet whether it lives
    elsewhere,  // a living program trains one
  };

  /// Takes the leases of all these trials, or none. Throws MachineFault where the folder cannot be written.
  Claim claim(const std::vector<std::string>& trials);

  /// Who had the trial that the last claim did not get.
  const std::string& holder() const { return holder_; }

  /// Shows others that this run lives, where that is due, and returns the trials that were lost to others.
  std::vector<std::string> beat();

  /// A trial has its outcome: nobody needs its lease any more.
  void end(const std::string& trial);

  /// A trial is given back.
  void drop(const std::string& trial) { held_.erase(trial); }

 private:
  std::filesystem::path results_;
  double seconds_;
  store::LeaseOwner owner_;
  store::LeaseWatch watch_;
  std::map<std::string, store::Lease> held_;  // by trial
  std::string holder_;
  double beat_at_ = 0;  // monotonic seconds
};

}  // namespace ablate::run
