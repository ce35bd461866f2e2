#include "harness/plan/file/declared_trends.h"

#include <algorithm>
#include <iterator>

#include "harness/plan/file/merge.h"

namespace ablate::plan {
namespace {

std::size_t degree_of(const std::string& shape) {
  const auto found = std::find(std::begin(kTrendShapes), std::end(kTrendShapes), shape);
  return static_cast<std::size_t>(found - std::begin(kTrendShapes)) + 1;
}

/// The entry of a swept arm, "mlm" of mlm[rate=0.15]; empty for an arm that no sweep made.
std::string entry_of(const std::string& arm) {
  const std::size_t bracket = arm.find('[');
  return bracket == arm.npos ? "" : arm.substr(0, bracket);
}

TrendFamily& family_named(std::vector<TrendFamily>& families, const std::string& entry) {
  const auto found = std::find_if(families.begin(), families.end(),
                                  [&](const TrendFamily& each) { return each.entry == entry; });
  return found != families.end() ? *found : families.emplace_back(TrendFamily{entry, {}});
}

/// Sorts the members by value. Returns whether there are enough, and no value twice.
bool sort_members(std::vector<SweptValue>& members) {
  std::stable_sort(members.begin(), members.end(),
                   [](const SweptValue& a, const SweptValue& b) { return a.value < b.value; });
  const auto same = [](const SweptValue& a, const SweptValue& b) { return a.value == b.value; };
  return members.size() >= kFewestSweptValues &&
         std::adjacent_find(members.begin(), members.end(), same) == members.end();
}

}  // namespace

std::vector<DeclaredTrend> declared_trends(const Json& analysis) {
  std::vector<DeclaredTrend> trends;
  for (const Json& entry : analysis.value("trends", Json::array()))
    trends.push_back({entry.at("along"), entry.value("of", ""),
                      entry.value("metric", analysis.value("primary", "")),
                      degree_of(entry.at("shape"))});
  return trends;
}

std::vector<TrendFamily> families_of(const DeclaredTrend& trend,
                                     const std::vector<NamedSections>& arms) {
  const std::string pointer = pointer_of(trend.along);
  std::vector<TrendFamily> families;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const std::string entry = entry_of(arms[i].name);
    if (entry.empty() || (!trend.of.empty() && entry != trend.of)) continue;
    const Json* const value = find_pointer(*arms[i].sections, pointer);
    if (value == nullptr || !value->is_number()) continue;
    family_named(families, entry).members.push_back({value->get<double>(), i});
  }
  std::erase_if(families, [](TrendFamily& each) { return !sort_members(each.members); });
  return families;
}

}  // namespace ablate::plan
