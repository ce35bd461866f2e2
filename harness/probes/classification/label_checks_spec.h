// What is probably not meant in two files of labelled text, and what cannot be. Without LibTorch.

#pragma once

#include "harness/contract/probe.h"
#include "harness/probes/classification/labelled_files_spec.h"

namespace ablate::probes {

/// Notes what the files hold and how many documents a trial uses. Warns of fewer documents than are
/// asked for, of test labels that the training file does not have, of labels that differ in white
/// space or capitals alone, of test documents that all have one label, and of documents that are in
/// both files. `learned`: whether labels are learned from the training file, so that no other can be
/// named. Throws std::invalid_argument where they are, and it has none of the test file's.
void check_labels(const LabelledLines& train, const LabelledLines& test, const Params& settings,
                  bool learned, const Preparation& preparation);

}  // namespace ablate::probes
