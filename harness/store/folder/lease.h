// Leases: who trains a trial, where several programs share a results folder.
//
// File locks may not work between the machines of a cluster, and their clocks differ. A lease is a file
// "lease.N" in the trial's folder, which only one program can create. It names its owner, and counts up while the owner
// lives. Whoever finds that the owner has died takes the next number; an owner that finds a higher number than its own, or
// its own file gone, has lost the trial to another and must not write there any more.
//
// An owner is dead where its machine says so (no such process, or another boot), where the scheduler started the same job
// again, or where its count has stood still for long, by the clock of whoever looks.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate::store {

/// A program that trains trials.
struct LeaseOwner {
  std::int64_t pid = 0;
  std::string host;
  std::string boot;  // differs after each start of the machine
  std::string
      started;      // of the process, in the system's ticks: tells processes of one number apart
  std::string job;  // of a scheduler, such as a Slurm job and its index in the array; empty: none
  std::int64_t restart = 0;  // how often the scheduler started this job again

  std::string text() const;  // "process 4711 on host 'cpu3'"
};

/// Whether a file in a trial's folder is a lease, by its name.
bool is_lease(std::string_view name);

/// This process.
LeaseOwner this_process();

/// Whether an owner on this machine is no longer there; nothing where it is on another one.
std::optional<bool> is_dead_here(const LeaseOwner& owner, const LeaseOwner& here);

/// What was seen of leases before, by the clock of this process.
class LeaseWatch {
 public:
  /// A lease stands still once its text has been the same for `seconds`, which is over 0.
  explicit LeaseWatch(double seconds) : seconds_(seconds) {}

  enum class Sign { none, alive, still };

  /// What the text of a lease that is read at a time of monotonic_seconds() says of its owner: none where more time is
  /// needed to tell.
  Sign sign(const std::filesystem::path& file, const std::string& text, double now);

 private:
  struct Seen {
    std::string text;
    double since = 0;
  };
  double seconds_;
  std::map<std::filesystem::path, Seen> seen_;
};

/// The lease of a trial, held until it is released.
class Lease {
 public:
  Lease(Lease&& other) noexcept;
  Lease& operator=(Lease&& other) noexcept;
  ~Lease();  // gives the trial back: whoever wants it may take it at once

  /// Whether nobody else has taken it.
  bool is_held() const;

  /// Shows others that its owner lives. Does nothing where it is no longer held.
  void beat();

  /// Removes it: the trial has an outcome, so that nobody will want it.
  void end();

 private:
  friend class LeaseTaking;
  Lease(std::filesystem::path folder, std::int64_t number, LeaseOwner owner);

  std::filesystem::path file(std::int64_t number) const;
  void write(bool released) const;

  std::filesystem::path folder_;
  std::int64_t number_ = 0;  // 0: moved from, or ended
  std::int64_t beats_ = 0;
  LeaseOwner owner_;
};

/// What became of a wish for a lease.
struct LeaseReply {
  std::optional<Lease> lease;
  LeaseOwner holder;                               // where another has it
  LeaseWatch::Sign sign = LeaseWatch::Sign::none;  // of that holder

  bool is_waiting() const { return !lease && sign == LeaseWatch::Sign::none; }
};

/// Takes the lease of the trial with this folder, which is created where it does not exist, unless a living owner has it.
/// `now`: monotonic seconds. Throws MachineFault where the folder cannot be written.
LeaseReply take_lease(const std::filesystem::path& trial, const LeaseOwner& owner,
                      LeaseWatch& watch, double now);

}  // namespace ablate::store
