// The probes of a trial, in memory that trials share.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::plan {

/// Probes, converted from and to JSON: [{"id", "type", ..., "at": [{"step", "id"}]}]. Copies share their
/// settings; ids are a trial's own.
class TrialProbes {
 public:
  TrialProbes();  // none

  /// Throws Json::exception if `probes` is no list of objects. A probe or a point without "id" has an empty one.
  TrialProbes(Json probes);

  /// Probes with these settings, see settings(). Requires: an id for each measurement.
  TrialProbes(std::shared_ptr<const Json> settings, std::vector<std::string> ids)
      : settings_(std::move(settings)), ids_(std::move(ids)) {}

  /// The probes without any "id".
  const Json& settings() const { return *settings_; }

  /// The ids of the measurements: of each probe's at the end of training, then of those that it makes
  /// on the way, in the order of the probes.
  const std::vector<std::string>& ids() const { return ids_; }

  /// The same probes with other ids. Throws Json::exception if they are not as many.
  TrialProbes with_ids(std::vector<std::string> ids) const;

  /// The ids of the measurements on the way.
  std::vector<std::string> ids_on_the_way() const;

  std::size_t size() const { return settings_->size(); }  // probes

  /// Whether the two are copies that share their settings.
  bool share_with(const TrialProbes& other) const { return settings_ == other.settings_; }

  friend bool operator==(const TrialProbes& a, const TrialProbes& b) {
    return *a.settings_ == *b.settings_ && a.ids_ == b.ids_;
  }

 private:
  std::shared_ptr<const Json> settings_;
  std::vector<std::string> ids_;
};

void to_json(Json& json, const TrialProbes& probes);

/// Reads what to_json() wrote. Throws Json::exception if it is no list of objects.
void from_json(const Json& json, TrialProbes& probes);

}  // namespace ablate::plan
