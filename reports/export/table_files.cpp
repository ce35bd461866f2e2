#include "reports/export/table_files.h"

#include <array>
#include <charconv>
#include <cmath>

#include "reports/text/text.h"

namespace ablate::reports {
namespace {

std::string csv_cell(const Json& cell) {
  if (cell.is_number_float()) return exact_number(cell.get<double>());
  if (cell.is_string()) return csv_text(cell.get_ref<const std::string&>());
  return cell.is_null() ? "" : cell.dump();
}

std::string csv_of(const DataTable& table) {
  std::string bytes;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    bytes += (i > 0 ? "," : "") + csv_text(table.columns[i]);
  bytes += "\r\n";
  for (const std::vector<Json>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) bytes += (i > 0 ? "," : "") + csv_cell(row[i]);
    bytes += "\r\n";
  }
  return bytes;
}

/// The value with a text in place of a number that JSON cannot hold.
Json storable(const Json& cell) {
  const bool lost = cell.is_number_float() && !std::isfinite(cell.get<double>());
  return lost ? Json(exact_number(cell.get<double>())) : cell;
}

std::string jsonl_of(const DataTable& table) {
  std::string bytes;
  for (const std::vector<Json>& row : table.rows) {
    Json line = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) line[table.columns[i]] = storable(row[i]);
    bytes += ascii_text(line) + "\n";
  }
  return bytes;
}

}  // namespace

std::string exact_number(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

std::vector<ReportFile> csv_table_files(std::span<const DataTable> tables) {
  std::vector<ReportFile> files;
  for (const DataTable& table : tables) files.push_back({table.name + ".csv", csv_of(table)});
  return files;
}

std::vector<ReportFile> jsonl_table_files(std::span<const DataTable> tables) {
  std::vector<ReportFile> files;
  for (const DataTable& table : tables) files.push_back({table.name + ".jsonl", jsonl_of(table)});
  return files;
}

}  // namespace ablate::reports
