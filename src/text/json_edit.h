// Byte-exact changes of a JSON file: look something up, get the edit that changes it.
//
//   const JsonDocument document = TRY(JsonDocument::parse(bytes, {}));
//   bytes = apply_edits(bytes, set_members(document, document.root(), {{"status", "\"failed\""}}));
//
// What always holds:
//
//   An edit changes what it is named after and no other byte (F2). What is added has the layout that its
//   neighbours have: indentation, line endings, one line or many, spaces behind colons and commas.
//   A value that already says the same is not written again, however it is spelled.
//   Edits of different objects and lists of one document may be applied together. Additions to and removals from
//   the same one are made one after the other, with the document read again in between.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/json_document.h"

namespace reprise {

/// What a member is to be. `json` is one JSON value in any layout.
struct JsonSetting {
  std::string key;
  std::string json;
};

/// Sets members of an object that is part of the document: those that are there in their places, the others behind
/// the last one in the order given. Only the last of a repeated key is changed. Keys in `settings` differ.
std::vector<TextEdit> set_members(const JsonDocument& document, const JsonNode& object,
                                  const std::vector<JsonSetting>& settings);

/// Adds an element behind the last one of an array that is part of the document.
TextEdit append_element(const JsonDocument& document, const JsonNode& array, std::string_view json);

/// Removes every member with one of these keys, repeated ones too, each with one comma and the spaces between it
/// and its neighbour. An object that has nothing left is "{}". Keys that are not there are fine.
std::vector<TextEdit> remove_members(const JsonNode& object, const std::vector<std::string>& keys);

/// The same for the elements of an array that are one of these texts: strings decoded, numbers as written.
std::vector<TextEdit> remove_elements(const JsonNode& array, const std::vector<std::string>& texts);

}  // namespace reprise
