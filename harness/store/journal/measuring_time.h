// What a measurement took, as journals keep it.

#pragma once

#include "harness/base/json/json.h"
#include "harness/base/time/time_spent.h"

namespace ablate::store {

/// What measuring took, in seconds on the wall clock.
struct MeasuringTime {
  double seconds = 0;  // in all, and of that:
  double passes = 0;   // of the model over texts, forward; on a device until they were launched
  double fits = 0;     // of models that measure it
  double text = 0;     // that it wrote, token by token
};

/// What a thread spent on a measurement.
MeasuringTime measuring_time(const TimeSpent& spent);

/// Sets `json` to {"seconds", "passes", "fits", "text"}.
void to_json(Json& json, const MeasuringTime& time);

/// Throws Json::exception or DamagedFile where `json` is none.
void from_json(const Json& json, MeasuringTime& time);

}  // namespace ablate::store
