// Makes the corpora of phases with the experiment's vocabulary.

#include "harness/plan/prepare/phase_corpora.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/data/prepare.h"

namespace ablate::plan {

std::vector<PreparedMember> PhaseCorpora::members(const ResolvedArm& arm, const Phase& phase,
                                                  std::size_t number) {
  std::vector<PreparedMember> all;
  for (const PhaseMember& given : phase.members) {
    PreparedMember member{main_, experiment_.corpus, given.fraction};
    if (given.corpus.is_object()) {
      member.section = given.corpus;
      member.corpus = corpus(arm, phase, number, member.section);
    }
    const auto same = std::find_if(all.begin(), all.end(), [&](const PreparedMember& other) {
      return other.corpus.hash() == member.corpus.hash();
    });
    if (same == all.end())
      all.push_back(std::move(member));
    else
      same->fraction += member.fraction;
  }
  return all;
}

data::Corpus PhaseCorpora::corpus(const ResolvedArm& arm, const Phase& phase, std::size_t number,
                                  const Json& section) {
  const auto known = made_.find(canonical(section));
  if (known != made_.end()) return known->second;
  const auto refuse = [&](const std::exception& error) {
    const std::string at = fmt::format("/train/phases/{}", number);
    const char* const setting = phase.members.size() > 1 ? "/mixture" : "/corpus";
    faults_.add(
        place_in_arm(*experiment_.sources, arm, at + setting),
        fmt::format("arm '{}', phase '{}': corpus: {}", arm.name, phase.name, error.what()));
    return main_;
  };
  try {
    const data::Corpus made = data::Corpus::open(data::prepare_corpus_like(
        main_, section, {}, data::cache_folder(), [&](const std::string& what) {
          warnings_.push_back(
              fmt::format("corpus of arm '{}', phase '{}': {}", arm.name, phase.name, what));
        }));
    return made_.emplace(canonical(section), made).first->second;
  } catch (const DamagedFile&) {
    throw;
  } catch (const std::invalid_argument& error) {
    return refuse(error);
  } catch (const std::runtime_error& error) {
    if (is_disk_fault(error)) throw;
    return refuse(error);
  }
}

}  // namespace ablate::plan
