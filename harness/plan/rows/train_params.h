// The parameters of an experiment file's section "train".

#pragma once

#include <cstdint>
#include <span>

#include "harness/contract/params.h"
#include "harness/contract/training_loss.h"

namespace ablate::plan {

/// The rows of "train". "budget" is a section in which exactly one field must be given.
std::span<const Param> train_params();

/// The setting "micro_batch" of a resolved section; 0 where it is absent: all texts of a step at once.
std::int64_t micro_batch_of(const Params& train);

/// The setting "loss" of a resolved section; the plain loss where it is absent.
TrainingLoss loss_of(const Json& train);
inline TrainingLoss loss_of(const Params& train) { return loss_of(train.json()); }

/// Raised when the numbers of training change; part of every trial's id.
constexpr int kTrainVersion = 2;

/// Raised when a budget in tokens becomes another number of steps; part of the ids of trials that
/// have one, for the whole of training or for a phase. Version 1, which is in no id, counted batch x
/// context in a step.
constexpr int kTokenBudgetVersion = 2;

}  // namespace ablate::plan
