// The leases of a run that shares its results folder with others.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/store/journal/lease.h"

namespace ablate::run {

/// Which trials this run may train. A run that is alone in its folder may train all.
class Leases {
 public:
  /// `seconds`: see SweepSettings::lease_seconds; 0: the run is alone.
  Leases(std::filesystem::path results, double seconds);

  /// What became of trials that this run would train together.
  struct Claim {
    std::vector<std::string> free;  // they can be trained, or could without the others
    std::vector<std::string>
        waiting;  // another program had it, of which it is not known yet whether it lives
    std::vector<std::string> elsewhere;  // a living program trains it
    std::string holder;                  // of the last of them

    bool is_ours() const { return waiting.empty() && elsewhere.empty(); }
  };

  /// Takes the leases of all these trials, or no new one. Throws MachineFault where the folder cannot be read or written.
  Claim claim(const std::vector<std::string>& trials);

  /// Shows others that this run lives, where that is due, and returns the trials that were lost to others.
  std::vector<std::string> beat();

  /// Whether a trial may still be written; looks.
  bool may_write(const std::string& trial) const;

  /// What workers need to know of the leases of these trials; empty where the run is alone.
  std::map<std::string, store::LeaseTicket> tickets(const std::vector<std::string>& trials) const;

  /// A trial has its outcome: nobody needs its lease any more.
  void end(const std::string& trial);

  /// A trial is given back.
  void drop(const std::string& trial) { held_.erase(trial); }

 private:
  bool is_alone() const { return seconds_ <= 0; }

  std::filesystem::path results_;
  double seconds_;
  store::LeaseOwner owner_;
  store::LeaseWatch watch_;
  std::map<std::string, store::Lease> held_;  // by trial
  double beat_at_ = 0;                        // monotonic seconds
};

}  // namespace ablate::run
