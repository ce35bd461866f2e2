// Leases: who trains a trial, where several programs share a results folder.
//
// File locks may not work between the machines of a cluster, and their clocks differ. A lease is a file
// "lease.N" in the trial's folder, which only one program can create. It names its owner, and counts up while the owner
// lives. Whoever finds that the owner has died takes the next number; an owner that finds a higher number than its own, or
// its own file gone or another's, has lost the trial and must not write there any more: Journal::write() asks.
//
// An owner is dead where its machine says so (there is no such process), where the scheduler started the same job
// again, or where its count has stood still for long, by the clock of whoever looks.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/json/json.h"
#include "harness/store/journal/lease_owner.h"

namespace ablate::store {

/// Whether a file in a trial's folder is a lease, by its name.
bool is_lease(std::string_view name);

/// What was seen of leases before, by the clock of this process.
class LeaseWatch {
 public:
  /// A lease stands still once its text has been the same for `seconds`, which is over 0, or for as long as its own owner
  /// says, whichever is longer.
  explicit LeaseWatch(double seconds) : seconds_(seconds) {}

  double seconds() const { return seconds_; }

  enum class Sign { none, alive, still };

  /// What the text of a lease that is read at a time of monotonic_seconds() says of its owner: none where more time is
  /// needed to tell. Looks that are far apart do not count: this process may have stood still itself, or the file system
  /// under both. `own_seconds`: those of the owner.
  Sign sign(const std::filesystem::path& file, const std::string& text, double own_seconds,
            double now);

 private:
  struct Seen {
    std::string text;
    double since = 0, last = 0;
  };
  double seconds_;
  std::map<std::filesystem::path, Seen> seen_;
};

/// A lease as its holder knows it: its number, and a word that no other lease has.
struct LeaseTicket {
  std::int64_t number = 0;  // 0: none is needed
  std::string word;

  friend bool operator==(const LeaseTicket&, const LeaseTicket&) = default;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LeaseTicket, number, word)

/// Whether the lease of a trial with this folder is still the one of the ticket.
bool is_valid(const std::filesystem::path& trial, const LeaseTicket& ticket);

/// The lease of a trial, held until it is released.
class Lease {
 public:
  Lease(Lease&& other) noexcept;
  Lease& operator=(Lease&& other) noexcept;
  ~Lease();  // gives the trial back: whoever wants it may take it at once

  /// Whether nobody else has taken it.
  bool is_held() const { return ticket_.number > 0 && is_valid(folder_, ticket_); }

  /// What a worker needs to know that it is held.
  const LeaseTicket& ticket() const { return ticket_; }

  /// Shows others that its owner lives. Does nothing where it is no longer held.
  void beat();

  /// Removes it: the trial has an outcome, so that nobody will want it.
  void end();

 private:
  friend class LeaseTaking;
  Lease(std::filesystem::path folder, LeaseTicket ticket, LeaseOwner owner, double seconds);

  /// Whether the file was written.
  bool write(bool released) const;

  std::filesystem::path folder_;
  LeaseTicket ticket_;  // number 0: moved from, or ended
  std::int64_t beats_ = 0;
  LeaseOwner owner_;
  double seconds_ = 0;  // without a sign of life after which it may be taken over
};

/// What became of a wish for a lease.
struct LeaseReply {
  std::optional<Lease> lease;
  LeaseOwner holder;                               // where another has it
  LeaseWatch::Sign sign = LeaseWatch::Sign::none;  // of that holder

  bool is_waiting() const { return !lease && sign == LeaseWatch::Sign::none; }
};

/// Takes the lease of the trial with this folder, which is created where it does not exist, unless a living owner has it.
/// `now`: monotonic seconds. Throws MachineFault where the folder cannot be read or written.
LeaseReply take_lease(const std::filesystem::path& trial, const LeaseOwner& owner,
                      LeaseWatch& watch, double now);

}  // namespace ablate::store
