// Experiments as MLflow's file store.

#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// The files of a folder that `mlflow ui --backend-store-uri FOLDER/mlruns` reads up to MLflow 3.12, and
/// `mlflow migrate-filestore` of 3.10 and later makes a database of:
///   mlruns/EXPERIMENT/meta.yaml
///   mlruns/EXPERIMENT/RUN/meta.yaml           name, status, times
///   mlruns/EXPERIMENT/RUN/params/PATH         every setting of the trial, and its seed
///   mlruns/EXPERIMENT/RUN/metrics/NAME        "MILLISECONDS VALUE STEP" a line: every metric at the
///                                             steps at which it was measured, and the curves as curve.loss,
///                                             curve.learning_rate and curve.gradient_norm
///   mlruns/EXPERIMENT/RUN/tags/NAME           arm, label, objective, seed, trial, outcome, message
/// for each trial that has begun. Ids are made from the experiment's name and the trial's id, so the
/// same trial has the same ids wherever it is exported. `folder`: the absolute path at which the
/// files will lie, since the store names it.
/// Source: mlflow/store/tracking/file_store.py.
std::vector<ReportFile> mlflow_files(std::span<const Analysis> experiments,
                                     const std::filesystem::path& folder);

}  // namespace ablate::reports
