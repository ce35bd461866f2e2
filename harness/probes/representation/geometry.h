// How vectors lie: the spread of their directions, and how close those lie that belong together.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ablate::probes {

/// Vectors, one after the other: [vector, width].
struct Vectors {
  std::span<const double> values;
  std::size_t width = 1;

  std::size_t count() const { return values.size() / width; }
  std::span<const double> operator[](std::size_t i) const {
    return values.subspan(i * width, width);
  }
};

/// The vectors divided by their lengths; a vector of length 0 stays as it is. [vector, width]
std::vector<double> unit_vectors(Vectors vectors);

/// The vectors less their mean. [vector, width]
std::vector<double> centred(Vectors vectors);

/// The mean cosine of all pairs of two vectors (Ethayarajh 2019, arXiv:1909.00512, section 3.3, of
/// all pairs in place of random ones): near 0 where directions are spread, 1 where all are one. NaN
/// below two vectors.
double anisotropy(Vectors vectors);

/// The mean squared distance of the pairs of unit vectors with the same label (Wang & Isola 2020,
/// arXiv:2005.10242, section 4, alpha = 2). NaN where no two have the same label. Requires: unit
/// vectors, as many as labels.
double alignment(Vectors units, std::span<const std::int32_t> labels);

/// log of the mean of exp(-2 |x - y|^2) over all pairs of unit vectors (the same section, t = 2): 0
/// where all are one, less where they are spread. NaN below two. Requires: unit vectors.
double uniformity(Vectors units);

/// How near those stand that belong together. Means over the vectors with a label that another has,
/// too: each asks for its label among all others, the most similar first.
struct Retrieval {
  double recall_at_1 = 0, recall_at_5 = 0, recall_at_10 = 0;  // one of its label is among them
  double ndcg_at_10 = 0;       // normalised discounted cumulative gain of the first ten
  std::int64_t questions = 0;  // vectors that have another of their label
};

/// Retrieval by inner product, which of unit vectors is the cosine; of equal ones the first vector comes
/// first. The recall is that of one
/// relevant vector at least (as in metric learning), not of all. Requires: as many
/// vectors as labels.
Retrieval retrieval(Vectors units, std::span<const std::int32_t> labels);

/// Linear centred kernel alignment of two lists of vectors of the same things (Kornblith et al.
/// 2019, arXiv:1905.00414, section 3) by the unbiased estimator of HSIC (Song et al. 2012, JMLR 13,
/// equation 5; used so by Nguyen et al. 2021, arXiv:2010.15327, section 3): 1 where one is a
/// rotation and scaling of the other, about 0, or a little below, where they have nothing in common.
/// NaN below four vectors, or where all of one list are the same. Requires: as many vectors in each.
double linear_cka(Vectors a, Vectors b);

/// What linear_cka() compares of a list, whatever its width: the inner products of all pairs, centred
/// so that those of each vector sum to 0 without its own (Szekely & Rizzo 2014, Annals of Statistics
/// 42(6), section 3). The cosine of two of these is linear_cka() of their lists. By pairs: (1, 0),
/// (2, 0), (2, 1), (3, 0) ... Requires: four vectors or more.
std::vector<double> centred_kernel(Vectors vectors);

}  // namespace ablate::probes
