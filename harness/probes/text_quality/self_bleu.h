// How much the texts of a sample are like each other. Without LibTorch.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::probes {

/// Self-BLEU-4: the mean over texts of BLEU of one text against all others, in [0, 1]: n-grams up to four,
/// weighted alike, a count of 0 raised to .1, with the brevity penalty against the others' closest
/// length. 1: all are the same. Special ids are left out. 0 for fewer than two texts. Source: Zhu et
/// al. 2018, arXiv:1802.01886 (self-BLEU); Chen and Cherry 2014, smoothing method 1.
double self_bleu(std::span<const std::vector<Token>> texts);

}  // namespace ablate::probes
