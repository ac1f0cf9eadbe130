#include "formats/workflow_schema.h"

#include <boost/json.hpp>

#include "formats/key_table.h"

namespace reprise {
namespace {

using boost::json::array;
using boost::json::object;

std::string_view name_of(Level level) {
  switch (level) {
    case Level::Workflow: return "workflow";
    case Level::Limits: return "limits";
    case Level::Policy: return "policy";
    case Level::Input: return "input";
    case Level::Stage: return "stage";
    case Level::Product: return "product";
    case Level::Complete: return "complete";
    case Level::Gate: return "gate";
    case Level::Each: return "each";
    case Level::Repeat: return "repeat";
    case Level::Until: return "until";
    case Level::Lane: return "lane";
    case Level::Config: return "config";
    case Level::Workers: return "workers";
    case Level::Worker: return "worker";
    case Level::LanesConfig: return "lanes_config";
    case Level::Notify: return "notify";
  }
  return "";
}

object reference(Level level) { return {{"$ref", "#/definitions/" + std::string(name_of(level))}}; }
object nothing() { return {{"not", object()}}; }

// A number or true without quotes is text to us, and something else to JSON.
object scalar() { return {{"type", {"string", "number", "boolean"}}}; }
object text() { return {{"type", {"string", "number", "boolean"}}, {"minLength", 1}}; }
object matching(std::string_view pattern) {
  return {{"type", {"string", "number", "boolean"}}, {"pattern", pattern}};
}
object list_of(object items, int at_least) {
  object out{{"type", "array"}, {"items", std::move(items)}};
  if (at_least > 0) out["minItems"] = at_least;
  return out;
}
object any_of(std::initializer_list<object> choices) {
  array list;
  for (const object& choice : choices) list.emplace_back(choice);
  return {{"anyOf", std::move(list)}};
}
object map_of(object values, std::string_view name_pattern) {
  object out{{"type", "object"}, {"additionalProperties", std::move(values)}};
  if (!name_pattern.empty()) out["propertyNames"] = {{"pattern", name_pattern}};
  return out;
}
object one_of_words(std::span<const std::string_view> words) {
  array list;
  for (const std::string_view word : words) list.emplace_back(word);
  return {{"enum", std::move(list)}};
}

object argv() {
  object out = list_of(scalar(), 1);
  // The program has a name; an argument may be empty.
  out["items"] = array{text()};
  out["additionalItems"] = scalar();
  return out;
}

object condition() {
  const object values = any_of({scalar(), list_of(scalar(), 1)});
  return any_of({scalar(),
                 list_of(scalar(), 1),
                 {{"type", "object"},
                  {"properties", {{"not", values}}},
                  {"required", {"not"}},
                  {"additionalProperties", false}}});
}

object schema_of(const KeySpec& key) {
  switch (key.shape) {
    case Shape::Text: return text();
    case Shape::Value: return scalar();
    case Shape::Name: return matching(kNamePattern);
    case Shape::ValueName: return matching(kIdentifierPattern);
    case Shape::Whole: return {{"type", "integer"}, {"minimum", key.min}, {"maximum", key.max}};
    case Shape::Amount: return {{"type", "number"}, {"minimum", 0}};
    case Shape::Flag: return {{"type", "boolean"}};
    case Shape::Always: return {{"enum", {true}}};
    case Shape::Time: return {{"type", {"string", "integer"}}, {"pattern", kTimePattern}, {"minimum", 0}};
    case Shape::Texts: return any_of({text(), list_of(text(), 0)});
    case Shape::Argv: return argv();
    case Shape::Command: return any_of({text(), argv()});
    case Shape::ResumeRule: return one_of_words(kResumeWords);
    case Shape::PublishRule: return one_of_words(kPublishWords);
    case Shape::Object: return {{"allOf", array{reference(key.inner)}}};
    case Shape::Stages: {
      object out = map_of(reference(Level::Stage), kNamePattern);
      out["minProperties"] = 1;
      return out;
    }
    case Shape::Roles: return map_of(reference(key.inner), "");
    case Shape::Inputs:
      return map_of(any_of({scalar(), {{"type", "null"}}, reference(Level::Input)}), kIdentifierPattern);
    case Shape::Values: return map_of(scalar(), "");
    case Shape::When: return map_of(condition(), "");
    case Shape::Products: return any_of({text(), list_of(any_of({text(), reference(Level::Product)}), 0)});
    case Shape::GateOrText: return any_of({text(), reference(Level::Gate)});
    case Shape::Items: return any_of({{{"type", "string"}, {"pattern", kItemsPattern}}, list_of(text(), 1)});
  }
  return {};
}

object properties_of(Level level) {
  object out;
  for (const KeySpec& key : keys_of(level)) {
    object schema = schema_of(key);
    schema["description"] = key.description;
    out[key.name] = std::move(schema);
  }
  return out;
}

object schema_of_level(Level level) {
  array required;
  for (const KeySpec& key : keys_of(level)) {
    if (key.required) required.emplace_back(key.name);
  }
  object out{{"type", "object"}, {"properties", properties_of(level)}, {"additionalProperties", false}};
  if (!required.empty()) out["required"] = std::move(required);
  if (level == Level::Each)  // its items, or tasks in their place
    out["oneOf"] = array{object{{"required", {"in"}}}, object{{"required", {"tasks"}}}};
  return out;
}

// A stage is of exactly one kind: it has a key of that kind, and none that means nothing there.
object schema_of_kind(std::uint8_t kind) {
  array says_so;
  object refused;
  for (const KeySpec& key : keys_of(Level::Stage)) {
    if ((key.stages & kind) == 0) refused[key.name] = nothing();
    if (key.stages == kind && key.name != "with") says_so.emplace_back(object{{"required", {key.name}}});
  }
  return {{"anyOf", std::move(says_so)}, {"properties", std::move(refused)}};
}

object schema_of_stage() {
  object out = schema_of_level(Level::Stage);
  array kinds;
  for (const std::uint8_t kind : {kRunStage, kRoleStage, kGateStage, kBlockStage, kUsesStage}) {
    kinds.emplace_back(schema_of_kind(kind));
  }
  out["anyOf"] = std::move(kinds);
  out["dependencies"] = object{{"publish", {"lane"}}};
  return out;
}

}  // namespace

std::string workflow_json_schema() {
  object definitions;
  for (const Level level : {Level::Limits, Level::Policy, Level::Input, Level::Product, Level::Complete,
                            Level::Gate, Level::Each, Level::Repeat, Level::Until, Level::Lane}) {
    definitions[name_of(level)] = schema_of_level(level);
  }
  definitions[name_of(Level::Stage)] = schema_of_stage();
  object schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Reprise workflow"}};
  for (const auto& [key, part] : schema_of_level(Level::Workflow)) schema[key] = part;
  schema["definitions"] = std::move(definitions);
  return boost::json::serialize(schema);
}

}  // namespace reprise
