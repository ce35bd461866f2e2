// The tables of index.sqlite. schema.md documents them for users who query them.

#pragma once

namespace ablate::store {

/// Raised with every change to the tables, or to how their values are written; an older index is rebuilt, a newer one is refused.
constexpr int kSchemaVersion = 10;

/// Choices between more than two texts are written with OR: for `IN (...)`, SQLite makes a table of
/// them for each row.
constexpr const char* kSchema = R"sql(
CREATE TABLE experiment(
  name TEXT PRIMARY KEY,
  question TEXT NOT NULL,
  plan TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE arm(
  name TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  baseline INTEGER NOT NULL CHECK(baseline IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE trial(
  id TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  arm TEXT NOT NULL REFERENCES arm(name),
  seed INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK(outcome = 'completed' OR outcome = 'failed' OR
    outcome = 'diverged' OR outcome = 'unfinished'),
  message TEXT NOT NULL,
  missing INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  seconds REAL NOT NULL,
  config TEXT,
  ledger TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE digest(
  trial TEXT PRIMARY KEY,
  source_xxh3 TEXT NOT NULL,
  journal_sha256 TEXT,
  rows_xxh3 TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  started TEXT NOT NULL,
  ended TEXT NOT NULL,
  outcome TEXT,
  message TEXT NOT NULL,
  provenance TEXT,
  PRIMARY KEY(trial, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE stage(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  stage TEXT NOT NULL,
  seconds REAL,
  lanes INTEGER NOT NULL,
  PRIMARY KEY(trial, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE curve_text(
  trial TEXT PRIMARY KEY REFERENCES trial(id) ON DELETE CASCADE,
  points TEXT NOT NULL
) STRICT;

CREATE TABLE spike(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  step INTEGER NOT NULL,
  loss REAL,
  documents TEXT NOT NULL,
  PRIMARY KEY(trial, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  step INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY(trial, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  probe TEXT NOT NULL,
  planned INTEGER NOT NULL CHECK(planned IN (0, 1)),
  step INTEGER,
  text_tokens REAL,
  targets REAL,
  flops REAL,
  seconds REAL,
  measuring REAL,
  passes REAL,
  fits REAL,
  writing REAL,
  details TEXT NOT NULL,
  PRIMARY KEY(trial, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric(
  trial TEXT NOT NULL,
  measurement TEXT NOT NULL,
  name TEXT NOT NULL,
  value REAL,
  kind TEXT NOT NULL CHECK(kind = 'finite' OR kind = 'nan' OR kind = 'inf' OR kind = '-inf'),
  CHECK((kind = 'finite') = (value IS NOT NULL)),
  PRIMARY KEY(trial, measurement, name),
  FOREIGN KEY(trial, measurement) REFERENCES measurement(trial, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE sample(
  trial TEXT NOT NULL,
  measurement TEXT NOT NULL,
  number INTEGER NOT NULL,
  text TEXT NOT NULL,
  about TEXT NOT NULL,
  PRIMARY KEY(trial, measurement, number),
  FOREIGN KEY(trial, measurement) REFERENCES measurement(trial, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE VIEW result AS
  SELECT trial.arm, trial.seed, trial.id AS trial, trial.outcome, metric.name, metric.value, metric.kind
  FROM trial
  JOIN measurement ON measurement.trial = trial.id AND measurement.planned
    AND measurement.step IS NULL
  JOIN metric ON metric.trial = trial.id AND metric.measurement = measurement.id
  ORDER BY trial.position, metric.name;

CREATE VIEW curve AS
  SELECT curve_text.trial AS trial,
    json_extract(point.value, '$[0]') AS step,
    CAST(json_extract(point.value, '$[1]') AS REAL) AS text_tokens,
    CAST(json_extract(point.value, '$[2]') AS REAL) AS loss,
    CAST(json_extract(point.value, '$[3]') AS REAL) AS learning_rate,
    CAST(json_extract(point.value, '$[4]') AS REAL) AS gradient_norm,
    json_extract(point.value, '$[5]') AS spike
  FROM curve_text, json_each(curve_text.points) AS point;

CREATE VIEW dynamics AS
  SELECT trial.arm, trial.seed, trial.id AS trial, trial.outcome, metric.name, metric.value, metric.kind,
    measurement.step, measurement.text_tokens, measurement.targets, measurement.flops,
    measurement.seconds
  FROM trial
  JOIN measurement ON measurement.trial = trial.id AND measurement.planned
    AND measurement.step IS NOT NULL
  JOIN metric ON metric.trial = trial.id AND metric.measurement = measurement.id
  ORDER BY trial.position, metric.name, measurement.step;
)sql";

}  // namespace ablate::store
