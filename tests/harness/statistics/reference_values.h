// Two samples of five losses with one seed each, for which reference values were computed with SciPy
// 1.10.1 and statsmodels 0.13.5.

#pragma once

#include <vector>

namespace ablate::statistics {

inline const std::vector<double> kBaseline = {3.512, 3.498, 3.527, 3.505, 3.519};
inline const std::vector<double> kArm = {3.471, 3.489, 3.494, 3.480, 3.487};
inline const std::vector<double> kImprovements = {.041, .009, .033, .025,
                                                  .032};  // their difference

}  // namespace ablate::statistics
