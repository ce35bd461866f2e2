// Reads phases. A phase has the settings of its arm, except for those that it gives itself.

#include "harness/plan/read/read_phases.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "harness/plan/file/merge.h"
#include "harness/plan/file/sections.h"
#include "harness/plan/trial/phase.h"

namespace ablate::plan {
namespace {

constexpr std::size_t kMaxPhases = 16;
constexpr std::size_t kMaxMembers = 16;
constexpr const char* kTagged[] = {"corpus", "mixture", "objective"};

class PhaseReader {
 public:
  PhaseReader(const PhaseReading& reading, std::vector<Refusal>& refusals)
      : reading_(reading), refusals_(refusals) {}

  Json read(const Json& given) {
    if (!given.is_array() || given.empty() || given.size() > kMaxPhases) {
      refuse("/phases", "phases is not a list of 1 to {} phases", kMaxPhases);
      return Json::array();
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      at_ = fmt::format("/phases/{}", i);
      if (given[i].is_object())
        phases_.push_back(one(given[i]));
      else
        refuse(at_, "a phase must be an object with a \"name\" and a \"budget\"");
    }
    if (fractions_ > 1 + 1e-9)
      refuse("/phases", "the phases' shares of train.budget sum to {:g}; they may sum to at most 1",
             fractions_);
    return phases_;
  }

 private:
  template <class... Args>
  void refuse(const std::string& pointer, fmt::format_string<Args...> message, Args&&... args) {
    refusals_.push_back({pointer, fmt::format(message, std::forward<Args>(args)...)});
  }

  /// Adds the refusals in `found`, whose pointers are relative to `pointer`. Returns whether there
  /// were none.
  bool take(std::vector<Refusal> found, const std::string& pointer) {
    for (Refusal& refusal : found) {
      refusal.pointer = pointer + refusal.pointer;
      refusals_.push_back(std::move(refusal));
    }
    return found.empty();
  }

  Json one(const Json& given) {
    Json rest = given;
    for (const char* key : kTagged) rest.erase(key);
    std::vector<Refusal> found;
    Json phase = resolve(phase_params(), rest, found);
    const std::vector<PhaseMember> former = std::exchange(members_, {});
    if (!take(std::move(found), at_)) return phase;
    check_name(phase["name"].get_ref<const std::string&>());
    for (const std::string_view name : kPhaseSettings)
      if (name != "budget" && !phase.contains(name)) phase[name] = reading_.arm.train.at(name);
    phase["budget"] = budget(phase["budget"]);
    check_schedule(phase);
    phase["context"] = context(phase);
    phase["objective"] = objective(given);
    read_members(given, former);
    phase["members"] = members_;
    return phase;
  }

  void check_name(const std::string& name) {
    const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (name.empty() || name.size() > 32 || name.front() < 'a' || name.front() > 'z' ||
        !std::all_of(name.begin(), name.end(), [&](char c) { return plain(c) || c == '_'; }))
      refuse(at_ + "/name",
             "'{}' is not a name of a phase; a name is 1 to 32 small letters, digits and '_', "
             "and starts with a letter",
             name.substr(0, 60));
    else if (name.find("_after_") != std::string::npos)
      refuse(at_ + "/name",
             "'{}': metrics of phases are named A_after_B; choose a name without \"_after_\"",
             name);
    else if (!names_.insert(name).second)
      refuse(at_ + "/name", "two phases are named '{}'; give each a different name", name);
  }

  /// The budget of a phase; a fraction of the arm's budget ("share") becomes an amount.
  Json budget(const Json& given) {
    if (given.size() != 1) {
      refuse(at_ + "/budget",
             "a phase's budget must be exactly one of tokens, positions, targets, flops, steps and "
             "share; {} are given",
             given.size());
      return given;
    }
    if (given.begin().key() != "share") return given;
    const double fraction = given.begin()->get<double>();
    fractions_ += fraction;
    const Budget total = budget_of(reading_.arm.train);
    if (!total.unit.empty() && total.unit != "seconds")
      return {{total.unit, total.amount * fraction}};
    refuse(at_ + "/budget/share",
           "a share is a fraction of train.budget, which {}; give train.budget in tokens, "
           "positions, targets, flops or steps",
           total.unit.empty() ? "is not given" : "is in seconds");
    return given;
  }

  void check_schedule(const Json& phase) {
    const double warmup = phase["warmup"], decay = phase["decay"];
    if (phase["schedule"] == "warmup_stable_decay" && warmup + decay > 1)
      refuse(at_,
             "warmup = {:g} and decay = {:g} together exceed the phase's budget; their sum is at "
             "most 1",
             warmup, decay);
  }

  std::int64_t context(const Json& phase) {
    const std::int64_t maximum = reading_.arm.context();
    const std::int64_t own = phase.value("context", maximum);
    if (own > maximum)
      refuse(at_ + "/context",
             "context = {} is more than model.context = {}, which the model is built for; raise "
             "model.context",
             own, maximum);
    return own;
  }

  Json objective(const Json& given) {
    if (!given.contains("objective")) return reading_.arm.objective;
    std::vector<Refusal> found;
    Json made = resolve(objective_section(reading_.catalog), given["objective"], found);
    take(std::move(found), at_ + "/objective");
    return made;
  }

  /// Reads the corpora of a phase into members_. `former`: those of the previous phase.
  void read_members(const Json& given, const std::vector<PhaseMember>& former) {
    const bool mixes = given.contains("mixture");
    if (given.contains("corpus") && mixes)
      refuse(at_ + "/mixture", "a phase has a corpus or a mixture, not both; leave one out");
    if (mixes)
      read_mixture(given["mixture"], former);
    else
      add({given.value("corpus", Json("main")), 1}, former, at_ + "/corpus");
  }

  void read_mixture(const Json& given, const std::vector<PhaseMember>& former) {
    const std::string at = at_ + "/mixture";
    if (!given.is_array() || given.empty() || given.size() > kMaxMembers)
      return refuse(at, "mixture is not a list of 1 to {} members {{corpus, share}}", kMaxMembers);
    double sum = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::string here = fmt::format("{}/{}", at, i);
      const std::optional<PhaseMember> member = read_member(given[i], here);
      if (!member) return;
      sum += member->fraction;
      add(*member, former, here + "/corpus");
    }
    if (std::abs(sum - 1) > 1e-6)
      refuse(at, "the shares of the mixture sum to {:g}; they must sum to 1", sum);
    if (members_.size() > kMaxMembers)
      refuse(at,
             "the mixture has {} corpora, including those of the previous phase; at most {} are "
             "accepted",
             members_.size(), kMaxMembers);
    normalise();
  }

  /// A member of a mixture as given: its corpus may be a keyword. None if it is not of this form.
  std::optional<PhaseMember> read_member(const Json& given, const std::string& pointer) {
    if (!given.is_object() || given.size() != 2 || !given.contains("corpus") ||
        !given.contains("share")) {
      refuse(pointer, "a member of a mixture must be {{\"corpus\": ..., \"share\": ...}}");
      return std::nullopt;
    }
    const Json& share = given["share"];
    const double fraction = share.is_number() ? share.get<double>() : 0;
    if (!(fraction > 0 && fraction <= 1))
      refuse(pointer + "/share",
             "share = {} is outside (0, 1] (fraction of the texts that come from the corpus)",
             canonical(share).substr(0, 60));
    return PhaseMember{given["corpus"], fraction};
  }

  /// Scales the fractions to sum to 1 exactly.
  void normalise() {
    double sum = 0;
    for (const PhaseMember& member : members_) sum += member.fraction;
    if (std::abs(sum - 1) > 1e-12)
      for (PhaseMember& member : members_) member.fraction /= sum;
  }

  /// Adds a corpus; if it is a member already, only its fraction is added.
  void add_member(const PhaseMember& added) {
    for (PhaseMember& member : members_)
      if (member.corpus == added.corpus) {
        member.fraction += added.fraction;
        return;
      }
    members_.push_back(added);
  }

  /// Adds the corpora that `given.corpus` stands for. "former" stands for all corpora of the
  /// previous phase, which are in `former`.
  void add(const PhaseMember& given, const std::vector<PhaseMember>& former,
           const std::string& pointer) {
    const Json& corpus = given.corpus;
    if (corpus == "former" && !phases_.empty()) {
      for (const PhaseMember& member : former)
        add_member({member.corpus, member.fraction * given.fraction});
    } else if (corpus == "former") {
      refuse(pointer, "the first phase has no previous phase; name \"main\", or give a corpus");
    } else if (corpus == "main" || corpus.is_object()) {
      add_member({corpus.is_object() ? section(corpus, pointer) : corpus, given.fraction});
    } else {
      refuse(pointer,
             "{} is not a corpus; accepted: \"main\" (the experiment's), \"former\" (that of the "
             "previous phase), or a section like the experiment's",
             canonical(corpus).substr(0, 60));
    }
  }

  /// A corpus section, resolved. If it has no kind, it changes the experiment's section.
  Json section(const Json& given, const std::string& pointer) {
    if (given.contains("tokenizer")) {
      refuse(pointer + "/tokenizer",
             "a phase's text is tokenised as the experiment's corpus is, so that they share one "
             "vocabulary; leave the tokenizer out");
      return given;
    }
    const bool changes = !given.contains("kind");
    const auto over = [&](const Json& patch) {
      Json merged = changes ? reading_.corpus : Json::object();
      merge(merged, patch);
      return merged;
    };
    std::vector<Refusal> found;
    resolve(corpus_section(), over(given), found);
    if (!take(std::move(found), pointer)) return given;
    Json made = resolve(corpus_section(), over(reading_.placed(given, pointer)), found);
    made.erase("tokenizer");
    return made;
  }

  const PhaseReading& reading_;
  std::vector<Refusal>& refusals_;
  std::string at_;  // JSON pointer to the phase that is being read
  std::set<std::string> names_;
  double fractions_ = 0;              // of the arm's budget, summed over phases
  std::vector<PhaseMember> members_;  // of the phase that was read last
  Json phases_ = Json::array();
};

}  // namespace

Json resolve_phases(const PhaseReading& reading, const Json& given,
                    std::vector<Refusal>& refusals) {
  return PhaseReader(reading, refusals).read(given);
}

}  // namespace ablate::plan
