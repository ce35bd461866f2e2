#include "reports/text/csv_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "reports/text/text.h"

namespace ablate::reports {

Csv::Csv(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) text(name);
  end();
}

Csv::Csv(const std::vector<std::string>& names) {
  for (const std::string& name : names) text(name);
  end();
}

Csv& Csv::text(std::string_view raw) { return put(csv_text(raw)); }

Csv& Csv::number(std::int64_t value) { return put(std::to_string(value)); }

Csv& Csv::number(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return put("");
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), *value);
  return put({buffer.data(), end.ptr});
}

Csv& Csv::interval(const std::optional<statistics::Interval>& ends) {
  using End = std::optional<double>;
  return number(ends ? End(ends->low) : End()).number(ends ? End(ends->high) : End());
}

void Csv::expect(std::size_t lines) {
  const auto there = static_cast<std::size_t>(std::ranges::count(bytes_, '\n'));
  // A twentieth more: later lines may be a little longer.
  bytes_.reserve(bytes_.size() * (lines + there) / std::max<std::size_t>(there, 1) * 21 / 20);
}

void Csv::end() {
  bytes_ += "\r\n";
  begins_ = true;
}

Csv& Csv::put(const std::string& field) {
  if (!begins_) bytes_ += ',';
  begins_ = false;
  bytes_ += field;
  return *this;
}

}  // namespace ablate::reports
