#include "reports/claims/read_claims.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/base/error.h"
#include "harness/base/json/json_source.h"
#include "harness/base/names.h"

namespace ablate::reports {
namespace {

using Keys = std::vector<std::string_view>;

/// Reads values of one file and collects what is wrong with them.
class ClaimReader {
 public:
  explicit ClaimReader(const JsonSource& source) : source_(source) {
    for (const SourceFault& fault : source.faults()) add(fault.where, fault.message, fault.hint);
  }

  /// Whether the value is an object with all required keys and no unknown ones.
  bool is_object(const std::string& pointer, const Json& value, const Keys& required,
                 const Keys& optional = {}) {
    if (!value.is_object()) return refuse(pointer, "must be an object", "");
    bool accepted = true;
    Keys known = required;
    known.insert(known.end(), optional.begin(), optional.end());
    for (const auto& [key, each] : value.items())
      if (std::find(known.begin(), known.end(), key) == known.end())
        accepted = refuse_key(pointer + "/" + key, fmt::format("unknown key \"{}\"", key),
                              suggestion(key, known, "accepted"));
    for (const std::string_view key : required)
      if (!value.contains(key))
        accepted = refuse(pointer, fmt::format("has no \"{}\"", key), "add it");
    return accepted;
  }

  /// The text under `key`, which must not be empty; empty where the key is absent or refused.
  std::string text(const std::string& pointer, const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return "";
    if (found->is_string() && !found->get<std::string>().empty()) return *found;
    refuse(pointer + "/" + key, fmt::format("\"{}\" must be a text", key), "not empty");
    return "";
  }

  /// The list of texts under `key`; empty where the key is absent or refused.
  std::vector<std::string> texts(const std::string& pointer, const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    const auto is_text = [](const Json& each) { return each.is_string() && each != ""; };
    if (found->is_array() && std::all_of(found->begin(), found->end(), is_text)) return *found;
    refuse(pointer + "/" + key, fmt::format("\"{}\" must be a list of texts", key),
           "such as [\"--set\", \"seeds=9\"]");
    return {};
  }

  /// The number above 0 under `key`; empty where the key is absent or refused.
  std::optional<double> above_0(const std::string& pointer, const Json& object, const char* key,
                                std::string_view hint) {
    const auto found = object.find(key);
    if (found == object.end()) return std::nullopt;
    if (found->is_number() && found->get<double>() > 0) return found->get<double>();
    refuse(pointer + "/" + key, fmt::format("\"{}\" must be above 0", key), hint);
    return std::nullopt;
  }

  /// Adds a fault at a value, and returns false.
  bool refuse(const std::string& pointer, std::string_view message, std::string_view hint) {
    add(source_.value_at(pointer).value_or(Stretch()), message, hint);
    return false;
  }

  /// Throws with all faults, unless there are none.
  void finish() const {
    if (!faults_.empty()) reject("{}", fmt::join(faults_, "\n"));
  }

 private:
  bool refuse_key(const std::string& pointer, std::string_view message, std::string_view hint) {
    add(source_.key_at(pointer).value_or(Stretch()), message, hint);
    return false;
  }

  void add(Stretch where, std::string_view message, std::string_view hint) {
    faults_.push_back(source_.explain(where, message, hint));
  }

  const JsonSource& source_;
  std::vector<std::string> faults_;
};

bool is_claim_id(std::string_view id) {
  return id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == id.npos;
}

/// The expectation that "is" names; empty where it names none.
std::optional<Expectation> expectation_in(ClaimReader& reader, const std::string& pointer,
                                          const Json& expect) {
  if (!expect.is_object() || !expect.contains("is")) {
    reader.refuse(pointer, "must be an object with \"is\"", "");
    return std::nullopt;
  }
  const std::string given = reader.text(pointer, expect, "is");
  Keys names;
  for (const Expectation each : kExpectations) names.push_back(name_of(each));
  const auto found = std::find(names.begin(), names.end(), given);
  if (found != names.end()) return kExpectations[static_cast<std::size_t>(found - names.begin())];
  if (!given.empty())
    reader.refuse(pointer + "/is", fmt::format("no expectation is named \"{}\"", given),
                  suggestion(given, names));
  return std::nullopt;
}

/// "than": an amount, or another metric of the arm, in place of a baseline.
void read_than(ClaimReader& reader, const std::string& pointer, const Json& expect, Claim& claim) {
  const Json& than = expect.at("than");
  if (than.is_number())
    claim.amount = than.get<double>();
  else if (than.is_string() && than != "" && than != claim.metric)
    claim.other_metric = than.get<std::string>();
  else
    reader.refuse(pointer + "/than", "\"than\" must be a number or the name of another metric",
                  "an amount in the metric's unit, or a metric of the same arm; another arm is "
                  "named by \"baseline\"");
}

void read_expectation(ClaimReader& reader, const std::string& pointer, const Json& expect,
                      Claim& claim) {
  const auto expected = expectation_in(reader, pointer, expect);
  if (!expected) return;
  claim.expected = *expected;
  if (compares_arms(claim.expected)) {
    const bool than = expect.contains("than");
    Keys keys = {"is", "arm", than ? "than" : "baseline"};
    if (claim.expected == Expectation::equal) keys.emplace_back("margin");
    if (!reader.is_object(pointer, expect, keys)) return;
    claim.arm = reader.text(pointer, expect, "arm");
    claim.margin = reader
                       .above_0(pointer, expect, "margin",
                                "the largest difference that counts as none, in the metric's unit")
                       .value_or(0);
    if (than) return read_than(reader, pointer, expect, claim);
    claim.baseline = reader.text(pointer, expect, "baseline");
    if (!claim.arm.empty() && claim.arm == claim.baseline)
      reader.refuse(pointer + "/baseline", "an arm is compared with itself", "name two arms");
    return;
  }
  if (!reader.is_object(pointer, expect, {"is", "family", "along"}, {"minus"})) return;
  claim.family = reader.text(pointer, expect, "family");
  claim.along = reader.text(pointer, expect, "along");
  claim.minus = reader.text(pointer, expect, "minus");
}

constexpr auto kEffectHint = "the size of the published effect, in the metric's unit";

void read_claim(ClaimReader& reader, const std::string& pointer, const Json& row, ClaimSet& set) {
  const Keys required = {"id", "claim", "source", "experiment", "metric", "expect", "scale"};
  if (!reader.is_object(pointer, row, required, {"flags", "effect"})) return;
  Claim& claim = set.claims.emplace_back();
  claim.id = reader.text(pointer, row, "id");
  claim.sentence = reader.text(pointer, row, "claim");
  claim.source = reader.text(pointer, row, "source");
  claim.experiment = reader.text(pointer, row, "experiment");
  claim.flags = reader.texts(pointer, row, "flags");
  claim.metric = reader.text(pointer, row, "metric");
  claim.scale = reader.text(pointer, row, "scale");
  claim.effect = reader.above_0(pointer, row, "effect", kEffectHint);
  read_expectation(reader, pointer + "/expect", row.at("expect"), claim);
}

/// A claim on text has what it does not say itself from the claim that it repeats, save its size: on
/// text that is of another metric, or of another unit.
void read_claim_on_text(ClaimReader& reader, const std::string& pointer, const Json& row,
                        ClaimSet& set) {
  const Keys optional = {"claim", "source", "experiment", "metric", "expect", "flags", "effect"};
  if (!reader.is_object(pointer, row, {"id", "on_text_of", "scale"}, optional)) return;
  const std::string of = reader.text(pointer, row, "on_text_of");
  const auto repeated = std::find_if(set.claims.begin(), set.claims.end(), [&](const Claim& each) {
    return each.id == of && each.on_text_of.empty();
  });
  if (repeated == set.claims.end()) {
    reader.refuse(pointer + "/on_text_of", fmt::format("no claim before it has the id \"{}\"", of),
                  "a claim on text stands after the one that it repeats");
    return;
  }
  Claim claim = *repeated;
  claim.on_text_of = of;
  claim.id = reader.text(pointer, row, "id");
  for (const auto& [key, member] :
       {std::pair("claim", &Claim::sentence), std::pair("source", &Claim::source),
        std::pair("experiment", &Claim::experiment), std::pair("metric", &Claim::metric),
        std::pair("scale", &Claim::scale)})
    if (row.contains(key)) claim.*member = reader.text(pointer, row, key);
  claim.flags = reader.texts(pointer, row, "flags");
  claim.effect = reader.above_0(pointer, row, "effect", kEffectHint);
  if (row.contains("expect")) {
    claim.arm = claim.baseline = claim.other_metric = claim.family = claim.minus = claim.along = "";
    claim.amount.reset();
    claim.margin = 0;
    read_expectation(reader, pointer + "/expect", row.at("expect"), claim);
  }
  set.claims.push_back(std::move(claim));
}

void read_row(ClaimReader& reader, const std::string& pointer, const Json& row, ClaimSet& set) {
  const auto read = row.is_object() && row.contains("on_text_of") ? read_claim_on_text : read_claim;
  read(reader, pointer, row, set);
}

void read_untestable(ClaimReader& reader, const std::string& pointer, const Json& row,
                     ClaimSet& set) {
  if (!reader.is_object(pointer, row, {"id", "claim", "source", "reason"})) return;
  set.untestable.push_back({reader.text(pointer, row, "id"), reader.text(pointer, row, "claim"),
                            reader.text(pointer, row, "source"),
                            reader.text(pointer, row, "reason")});
}

/// Checks the ids of a list's rows: their form, and that none was seen before.
void check_ids(ClaimReader& reader, const std::string& pointer, const Json& rows,
               std::set<std::string>& seen) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json id = rows[i].is_object() ? rows[i].value("id", Json()) : Json();
    if (!id.is_string()) continue;
    const std::string place = fmt::format("{}/{}/id", pointer, i);
    if (!is_claim_id(id.get<std::string>()))
      reader.refuse(place, "an id has a-z, 0-9 and hyphens", "");
    if (!seen.insert(id).second) reader.refuse(place, "another claim has this id", "");
  }
}

}  // namespace

ClaimSet read_claims(const std::string& name, const std::string& text) {
  const JsonSource source(name, text);
  ClaimReader reader(source);
  reader.finish();
  const Json& file = source.value();
  ClaimSet set;
  std::set<std::string> ids;
  if (reader.is_object("", file, {"claims", "untestable"}, {"text_flags"})) {
    for (const char* list : {"claims", "untestable"}) {
      const std::string pointer = std::string("/") + list;
      const Json& rows = file.at(list);
      if (!rows.is_array()) {
        reader.refuse(pointer, "must be a list", "");
        continue;
      }
      check_ids(reader, pointer, rows, ids);
      const auto read = list == std::string_view("claims") ? read_row : read_untestable;
      for (std::size_t i = 0; i < rows.size(); ++i)
        read(reader, fmt::format("{}/{}", pointer, i), rows[i], set);
    }
    const std::vector<std::string> of_text = reader.texts("", file, "text_flags");
    for (Claim& claim : set.claims)
      if (!claim.on_text_of.empty())
        claim.flags.insert(claim.flags.begin(), of_text.begin(), of_text.end());
  }
  reader.finish();
  return set;
}

}  // namespace ablate::reports
