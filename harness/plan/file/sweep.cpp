// Makes the points of a sweep and their names.

#include "harness/plan/file/sweep.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "harness/base/json/parse.h"
#include "harness/base/names.h"
#include "harness/plan/file/candidates.h"

namespace ablate::plan {
namespace {

using Row = std::vector<Assignment>;  // assignments that are made together
using Axis = std::vector<Row>;        // alternatives; a point has one row of each axis

const Json& part(const Json& entry, const char* name) {
  static const Json none;
  const auto found = entry.is_object() ? entry.find(name) : entry.end();
  return entry.is_object() && found != entry.end() ? *found : none;
}

std::size_t zip_rows(const Json& zip) { return zip.empty() ? 1 : zip.begin()->size(); }

/// The assignments of an object {path: value}.
Row row_of(const Sources& sources, const Json& object, const std::string& pointer) {
  Row row;
  for (const std::string& path : sources.keys(pointer))
    if (object.contains(path)) row.push_back({path, object[path], pointer + "/" + path, ""});
  return row;
}

Axis grid_axis(const std::string& path, const Json& given, const std::string& pointer) {
  Axis axis;
  const std::vector<Json> values = candidates(given);
  for (std::size_t i = 0; i < values.size(); ++i)
    axis.push_back(
        {{path, values[i], given.is_array() ? fmt::format("{}/{}", pointer, i) : pointer, ""}});
  return axis;
}

Axis zip_axis(const Sources& sources, const Json& zip, const std::string& pointer) {
  Axis axis(zip_rows(zip));
  for (const std::string& path : sources.keys(pointer))
    for (std::size_t i = 0; i < axis.size(); ++i)
      axis[i].push_back({path, zip[path][i], fmt::format("{}/{}/{}", pointer, path, i), ""});
  return axis;
}

/// The axes of an entry's sweep: one for each path of the grid, one for `zip`, one for `list`.
std::vector<Axis> axes_of(const Sources& sources, const Json& entry, const std::string& pointer) {
  std::vector<Axis> axes;
  const Json& grid = part(entry, "grid");
  if (grid.is_object())
    for (const std::string& path : sources.keys(pointer + "/grid"))
      axes.push_back(grid_axis(path, grid[path], pointer + "/grid/" + path));
  const Json& zip = part(entry, "zip");
  if (zip.is_object() && !zip.empty()) axes.push_back(zip_axis(sources, zip, pointer + "/zip"));
  const Json& rows = part(entry, "list");
  if (rows.is_array()) {
    Axis& axis = axes.emplace_back();
    for (std::size_t i = 0; i < rows.size(); ++i)
      axis.push_back(row_of(sources, rows[i], fmt::format("{}/list/{}", pointer, i)));
  }
  return axes;
}

/// The last `pieces` components of a dotted path.
std::string tail(const std::string& path, std::size_t pieces) {
  std::size_t at = path.size();
  while (pieces-- > 0 && at != 0 && at != path.npos) at = path.rfind('.', at - 1);
  return at == path.npos || at == 0 ? path : path.substr(at + 1);
}

/// The name of each path in arm names: its last component, or more if names would be equal.
std::map<std::string, std::string> short_names(const std::vector<Axis>& axes) {
  std::map<std::string, std::string> names;
  for (const Axis& axis : axes)
    for (const Row& row : axis)
      for (const Assignment& assignment : row) names[assignment.path] = "";
  for (auto& [path, name] : names)
    for (std::size_t pieces = 1; pieces <= path.size(); ++pieces) {
      name = tail(path, pieces);
      const auto same = [&, &mine = path](const auto& other) {
        return other.first != mine && tail(other.first, pieces) == tail(mine, pieces);
      };
      if (std::none_of(names.begin(), names.end(), same)) break;
    }
  return names;
}

/// The label of a point, whose swept values are `values`, by short name.
std::string label_of(const Sources& sources, const std::string& pointer,
                     const std::map<std::string, std::string>& values, Faults& faults) {
  const Json* const given = find_pointer(sources.merged(), pointer);
  if (given == nullptr) return "";
  std::string_view rest = given->get_ref<const std::string&>();
  std::string label;
  while (true) {
    const std::size_t open = rest.find('{');
    const std::size_t close = rest.find('}', open);
    label += rest.substr(0, open);
    if (open == rest.npos || close == rest.npos)
      return label += rest.substr(std::min(open, rest.size()));
    const std::string name(rest.substr(open + 1, close - open - 1));
    const auto value = values.find(name);
    std::vector<std::string_view> names;
    names.reserve(values.size());
    for (const auto& [swept, unused] : values) names.push_back(swept);
    if (value == values.end())
      faults.add(sources.value_at(pointer), fmt::format("{{{}}} names no swept path", name),
                 names.empty() ? "the arm sweeps none" : suggestion(name, names));
    else
      label += value->second;
    rest.remove_prefix(close + 1);
  }
}

void refuse_repeats(const Sources& sources, const std::string& arm, const SweepPoint& point,
                    Faults& faults) {
  std::set<std::string> paths;
  for (const auto& [path, value, pointer, flag] : point.assignments) {
    if (paths.insert(path).second) continue;
    const std::size_t last = pointer.rfind('/');  // a candidate's index, or the path itself
    const std::string key = pointer.substr(last + 1) == path ? pointer : pointer.substr(0, last);
    faults.add(sources.key_at(key), fmt::format("arm '{}' is given {} twice", arm, path),
               "name a path once in an arm: in set, grid, zip or list");
  }
}

}  // namespace

double count_points(const Json& entry) {
  double count = 1;
  const Json& grid = part(entry, "grid");
  if (grid.is_object())
    for (const auto& [path, given] : grid.items()) count *= count_candidates(given);
  const Json& zip = part(entry, "zip");
  if (zip.is_object()) count *= static_cast<double>(zip_rows(zip));
  const Json& rows = part(entry, "list");
  if (rows.is_array()) count *= static_cast<double>(rows.size());
  return count;
}

std::vector<Assignment> swept_paths(const Json& entry) {
  std::vector<Assignment> paths;
  const auto add = [&](const Json& object) {
    if (object.is_object())
      for (const auto& [path, value] : object.items()) paths.push_back({path, nullptr, "", ""});
  };
  add(part(entry, "grid"));
  add(part(entry, "zip"));
  const Json& rows = part(entry, "list");
  if (rows.is_array())
    for (const Json& row : rows) add(row);
  return paths;
}

std::vector<SweepPoint> expand(const Sources& sources, const std::string& pointer, Faults& faults) {
  const Json& entry = *find_pointer(sources.merged(), pointer);
  const std::vector<Axis> axes = axes_of(sources, entry, pointer);
  const auto names = short_names(axes);
  const Row fixed = row_of(sources, part(entry, "set"), pointer + "/set");
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= axis.size();
  std::vector<SweepPoint> points;
  for (std::size_t index = 0; index < count && !faults.full(); ++index) {
    SweepPoint point{entry["name"].get<std::string>(), fixed, ""};
    std::string settings;
    std::map<std::string, std::string> values;  // by short name
    std::size_t block = count;
    for (const Axis& axis : axes) {
      block /= axis.size();
      for (const Assignment& assignment : axis[index / block % axis.size()]) {
        const std::string& name = names.at(assignment.path);
        values[name] = shortest(assignment.value);
        settings += (settings.empty() ? "" : ",") + name + "=" + values[name];
        point.assignments.push_back(assignment);
      }
    }
    if (!axes.empty()) point.name += "[" + settings + "]";
    point.label = label_of(sources, pointer + "/label", values, faults);
    refuse_repeats(sources, entry["name"].get<std::string>(), point, faults);
    points.push_back(std::move(point));
  }
  return points;
}

std::string shortest(const Json& value) {
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    const auto plain = [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    return ascii_text(value);
  }
  if (!value.is_number_float()) return ascii_text(value);
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value.get<double>()).ptr;
  return std::string(digits, end);
}

std::string canonical_name(std::string_view name) {
  const std::size_t open = name.find('[');
  if (open == name.npos || name.back() != ']') return std::string(name);
  std::string text(name.substr(0, open + 1));
  std::string_view rest = name.substr(open + 1, name.size() - open - 2);
  while (true) {
    const std::string_view setting = rest.substr(0, rest.find(','));
    const std::size_t equals = setting.find('=');
    const std::string_view value = equals == setting.npos ? setting : setting.substr(equals + 1);
    const Json number = parse_or_discard(value);
    text += setting.substr(0, setting.size() - value.size());
    text += number.is_number() ? shortest(number) : std::string(value);
    if (setting.size() == rest.size()) return text + "]";
    text += ',';
    rest.remove_prefix(setting.size() + 1);
  }
}

}  // namespace ablate::plan
