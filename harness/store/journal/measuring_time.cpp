#include "harness/store/journal/measuring_time.h"

#include "harness/store/journal/journal.h"

namespace ablate::store {

MeasuringTime measuring_time(const TimeSpent& spent) {
  return {spent.seconds, spent.on(Activity::passes), spent.on(Activity::fits),
          spent.on(Activity::text)};
}

void to_json(Json& json, const MeasuringTime& time) {
  json = {{"seconds", number_to_json(time.seconds)},
          {"passes", number_to_json(time.passes)},
          {"fits", number_to_json(time.fits)},
          {"text", number_to_json(time.text)}};
}

void from_json(const Json& json, MeasuringTime& time) {
  const auto seconds = [&](const char* of) { return number_from_json(json.at(of)); };
  time = {seconds("seconds"), seconds("passes"), seconds("fits"), seconds("text")};
}

}  // namespace ablate::store
