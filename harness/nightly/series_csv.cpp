#include "harness/nightly/series_csv.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <regex>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/checksummed.h"
#include "harness/base/names.h"
#include "harness/base/text/csv.h"
#include "harness/nightly/judge/speed.h"
#include "harness/nightly/measure/night_file.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

constexpr std::array kColumns = {"time", "commit", "series", "value"};

struct Line {
  std::size_t number = 0;
  std::vector<std::string> cells;
};

// The rows of a table (RFC 4180), each with the line on which it begins; empty lines are none.
std::vector<Line> rows_in(std::string_view table, const std::string& name) {
  std::vector<Line> rows;
  Line row{1, {""}};
  std::size_t number = 1;
  bool inside = false;  // quotation marks
  const auto end_row = [&] {
    if (row.cells.size() > 1 || !row.cells[0].empty()) rows.push_back(std::move(row));
    row = {number, {""}};
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    const char c = table[i];
    number += c == '\n';
    if (inside) {
      if (c != '"') {
        row.cells.back() += c;
      } else if (i + 1 < table.size() && table[i + 1] == '"') {
        row.cells.back() += table[++i];
      } else {
        inside = false;
      }
    } else if (c == '"' && row.cells.back().empty()) {
      inside = true;
    } else if (c == ',') {
      row.cells.emplace_back();
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      row.cells.back() += c;
    }
  }
  if (inside)
    reject("{}:{}: this row has a quotation mark without its other one", name, row.number);
  end_row();
  return rows;
}

// The places of our columns in a header.
std::array<std::size_t, kColumns.size()> places_in(const std::vector<Line>& rows,
                                                   const std::string& name) {
  std::array<std::size_t, kColumns.size()> places{};
  const std::vector<std::string> header = rows.empty() ? std::vector<std::string>() : rows[0].cells;
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    const auto found = std::find(header.begin(), header.end(), kColumns[i]);
    if (found == header.end())
      reject("{}:1: there is no column '{}'; the first line names the columns: {}", name,
             kColumns[i], fmt::join(kColumns, ","));
    places[i] = static_cast<std::size_t>(found - header.begin());
  }
  return places;
}

// The name of a night: its date, its time of day where there is one, and its commit.
std::string night_of(const std::string& time, const std::string& commit, const std::string& where) {
  static const std::regex shape(
      "([0-9]{4}-[01][0-9]-[0-3][0-9])([T "
      "]([0-2][0-9]):([0-5][0-9])(:([0-6][0-9])([.][0-9]+)?)?Z?)?");
  std::smatch part;
  if (!std::regex_match(time, part, shape))
    reject("{}: '{}' is no time; write it as 2026-11-23 or 2026-11-23T02:30:00Z", where, time);
  const std::string of_day = part[2].matched ? fmt::format("-{}{}{}", part[3].str(), part[4].str(),
                                                           part[6].matched ? part[6].str() : "00")
                                             : "";
  std::string name = part[1].str() + of_day + '-' + commit;
  if (commit.empty() || !is_safe_folder_name(name))
    reject("{}: '{}' is no commit; it has up to 40 letters, digits, '-' and '_'", where, commit);
  return name;
}

double seconds_of(const std::string& cell, const std::string& where) {
  double value = 0;
  const auto [end, fault] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (fault != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value) ||
      value <= 0)
    reject("{}: '{}' is no time; a value is a positive number of seconds", where, cell);
  return value;
}

struct ImportedNight {
  std::string time, commit;
  LineChain chain;
  std::string records;  // the lines of bench.jsonl
};

void write_imported(const Home& home, const std::string& name, const ImportedNight& imported) {
  Night night;
  night.folder = home.nights() / name;
  night.identity.date = imported.time.substr(0, 10);
  night.finished = imported.time;
  night.commit = imported.commit;
  night.identity.fingerprint = kImported;
  night.machine = Json::object();
  fs::create_directories(night.folder);
  LineChain chain = imported.chain;
  write_file(night.folder / "bench.jsonl", imported.records + chain.next({{"round", 1}}) + '\n');
  write_night(night);
}

}  // namespace

std::string series_csv(const Home& home, const std::string& fingerprint) {
  std::string table = fmt::format("{}\n", fmt::join(kColumns, ","));
  for (const fs::path& folder : home.all_nights()) {
    const Night night = read_night(folder);
    if (night.identity.fingerprint != fingerprint) continue;
    for (const auto& [series, by_program] : times_of(night, "bench.jsonl")) {
      const auto now = by_program.find("now");
      if (now == by_program.end() || !all_positive(now->second.values)) continue;
      const std::string& time =
          now->second.started.empty() ? night.identity.date : now->second.started;
      table += fmt::format("{},{},{},{}\n", csv_field(time), csv_field(night.commit),
                           csv_field(series), median_of(now->second.values));
    }
  }
  return table;
}

std::int64_t import_csv(const Home& home, std::string_view table, const std::string& name) {
  const std::vector<Line> rows = rows_in(table, name);
  const auto places = places_in(rows, name);
  std::map<std::string, ImportedNight> nights;
  std::map<std::pair<std::string, std::string>, std::int64_t> repetitions;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::string where = fmt::format("{}:{}", name, rows[i].number);
    if (rows[i].cells.size() != rows[0].cells.size())
      reject("{}: this row has {} cells, the first line has {}", where, rows[i].cells.size(),
             rows[0].cells.size());
    const auto cell = [&](std::size_t column) {
      return std::string(csv_original(rows[i].cells[places[column]]));
    };
    const std::string time = cell(0), commit = cell(1), series = cell(2);
    if (series.empty()) reject("{}: the series has no name", where);
    const std::string folder = night_of(time, commit, where);
    ImportedNight& night = nights[folder];
    night.time = time;
    night.commit = commit;
    night.records += night.chain.next({{"series", series},
                                       {"unit", "s"},
                                       {"value", seconds_of(cell(3), where)},
                                       {"repetition", ++repetitions[{folder, series}]},
                                       {"program", "now"},
                                       {"started", time},
                                       {"machine", kImported}}) +
                     '\n';
  }
  for (const auto& [folder, night] : nights)
    if (fs::exists(home.nights() / folder / "night.json") &&
        read_night(home.nights() / folder).identity.fingerprint != kImported)
      reject("{}: the night {} was measured here, and is not replaced", name, folder);
  for (const auto& [folder, night] : nights) write_imported(home, folder, night);
  return std::ssize(nights);
}

}  // namespace ablate::nightly
