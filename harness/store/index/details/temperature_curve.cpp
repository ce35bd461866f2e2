#include "harness/store/index/details/temperature_curve.h"

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"

namespace ablate::store {
namespace {

double number_in(const Json& point, const char* name) {
  const auto found = point.find(name);
  return found != point.end() && found->is_number() ? found->get<double>() : std::nan("");
}

void add_curve(const std::string& metric, const std::string& sampler, const Json& points,
               const char* entropy, const char* quality, std::vector<TemperatureCurve>& curves) {
  if (!points.is_array()) damaged("index.sqlite: the temperatures of a measurement are not a list");
  TemperatureCurve curve{metric, sampler, {}};
  for (const Json& point : points) {
    if (!point.is_object()) damaged("index.sqlite: a temperature of a measurement is no object");
    const TemperaturePoint read{number_in(point, "temperature"), number_in(point, entropy),
                                number_in(point, quality)};
    if (std::isfinite(read.temperature) && std::isfinite(read.entropy) &&
        std::isfinite(read.quality))
      curve.points.push_back(read);
  }
  std::ranges::sort(curve.points, {}, &TemperaturePoint::temperature);
  if (curve.points.size() > 1) curves.push_back(std::move(curve));
}

}  // namespace

std::vector<TemperatureCurve> temperature_curves_in(const Json& temperatures,
                                                    const Json& samplers) {
  std::vector<TemperatureCurve> curves;
  if (!temperatures.is_null())
    for (const char* quality : {"judge_loss", "mauve"})
      add_curve(std::string("quality.") + quality, "", temperatures, "entropy", quality, curves);
  if (samplers.is_null()) return curves;
  if (!samplers.is_object())
    damaged("index.sqlite: the samplers of a measurement are not an object");
  for (const auto& [name, points] : samplers.items())
    add_curve("generation.log_probability", name, points, "token_entropy", "log_probability",
              curves);
  return curves;
}

}  // namespace ablate::store
