// A metric by the number that arms sweep over, or by the text that training has read, for a paper.

#pragma once

#include <vector>

#include "reports/analysis/dynamics/courses.h"
#include "reports/analysis/probes/setting_curves.h"
#include "reports/analysis/temperatures/entropy_curves.h"
#include "reports/analysis/tuning/tuning_record.h"
#include "reports/paper/figures/plot.h"

namespace ablate::reports {

/// "dose-1" and so on, for each sweep over a number and each headline metric: the mean over seeds by
/// the swept number, its 95 % t-interval as a band, and the baseline. None where no arms sweep over
/// a number.
std::vector<PaperFigure> dose_figures(const Analysis& analysis, const Venue& venue);

/// "dynamics-1" and so on, for each headline metric that was measured on the way: the mean over seeds
/// by tokens of text, with its band.
std::vector<PaperFigure> dynamics_figures(const Analysis& analysis,
                                          const std::vector<Course>& courses, const Venue& venue);

/// "entropy-1" and so on, for each metric of texts that were drawn at several temperatures: the mean
/// over seeds by the entropy of their tokens.
std::vector<PaperFigure> entropy_figures(const std::vector<EntropyCurve>& curves,
                                         const Venue& venue);

/// "rates-1" and so on: the criterion of tuning by learning rate; "expected-best-1" and so on: what the
/// best of n rates is expected to have.
std::vector<PaperFigure> tuning_figures(const TuningRecord& record, const Analysis& analysis,
                                        const Venue& venue);
/// "along-1" and so on, for each metric that was measured along a setting of its probe, such as
/// learning rates: the mean over seeds with its band.
std::vector<PaperFigure> curve_figures_of_probes(const Analysis& analysis,
                                                 const std::vector<SettingCurve>& curves,
                                                 const Venue& venue);

}  // namespace ablate::reports
