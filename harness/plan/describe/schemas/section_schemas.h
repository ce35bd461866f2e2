// The JSON Schemas of an experiment file's sections.

#pragma once

#include "harness/plan/file/sections.h"

namespace ablate::plan {

/// The schema of a part that is merged over another: nothing is required, and null removes a
/// setting.
Json partial(Json schema);

/// The schema of a section's tag.
Json tag_schema(const TaggedSection& section);

/// The schema of a section by its tag: for each member, "if the tag has this value, then these
/// rows". Without a tag, which may be given in the defaults or in an extended file, the keys of all
/// members are accepted. `complete`: the section is not merged over another one.
Json tagged_schema(const TaggedSection& section, bool complete);

/// The schema of "train". It refers to the definition "phases", which is phases_schema().
Json train_schema();

/// The schema of "train.phases". It refers to the definition "objective".
Json phases_schema();

}  // namespace ablate::plan
