#include "harness/base/time/clock.h"

#include <chrono>
#include <cstdio>
#include <ctime>

namespace ablate {

std::string utc_now() {
  const auto time = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count() % 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.", &parts);
  const std::string digits = std::to_string(1000 + millis).substr(1);
  return std::string(text, length) + digits + "Z";
}

std::optional<std::int64_t> milliseconds_since_1970(const std::string& utc) {
  std::tm parts{};
  const char* const rest = ::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%S.", &parts);
  int millis = 0;
  char zone = 0, more = 0;
  if (rest == nullptr || std::sscanf(rest, "%3d%c%c", &millis, &zone, &more) != 2 || zone != 'Z')
    return std::nullopt;
  return std::int64_t{::timegm(&parts)} * 1000 + millis;
}

}  // namespace ablate
