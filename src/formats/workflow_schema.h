// The JSON Schema of the workflow format, for editors. Made from the key table that the reader uses.

#pragma once

#include <string>

namespace reprise {

/// Returns the schema (draft 7) as one JSON document. It accepts what the reader accepts, except for
/// what a schema cannot say: names that refer to other parts of the file, circles, regular expressions.
std::string workflow_json_schema();

}  // namespace reprise
