#include "formats/scope.h"

#include <algorithm>

#include "base/strings.h"
#include "formats/key_reader.h"
#include "formats/value_names.h"

namespace reprise {
namespace {

constexpr std::size_t kPathBytesMax = 4'096;

}  // namespace

bool Scope::has_value(std::string_view name) const {
  return std::ranges::find(items, name) != items.end() || inputs->contains(std::string(name));
}

bool Scope::can_replace(std::string_view name) const {
  return name == "subject" || name == "run" || (in_repeat && name == "iteration") || has_value(name);
}

std::vector<std::string_view> Scope::replaceable() const {
  std::vector<std::string_view> names(inputs->begin(), inputs->end());
  std::ranges::sort(names);
  names.insert(names.end(), items.begin(), items.end());
  names.insert(names.end(), {"subject", "run"});
  if (in_repeat) names.emplace_back("iteration");
  return names;
}

void check_placeholders(const YamlNode& text, const Scope& scope, Problems& problems) {
  for (const std::string_view name : placeholders_in(text.text())) {
    if (scope.can_replace(name)) continue;
    const std::vector<std::string_view> known = scope.replaceable();
    problems.add(text, "no value has this name: \"{" + std::string(name) + "}\"" + suggestion(name, known),
                 listed(known) + "; braces that are meant as they are: {{…}}, or a shell line");
  }
}

void check_path(const YamlNode& path, const Scope& scope, Problems& problems) {
  const std::string_view text = path.text();
  const std::vector<std::string_view> parts = split(text, '/');
  if (text.starts_with('/') || std::ranges::find(parts, "..") != parts.end() || text.size() > kPathBytesMax) {
    problems.add(path, "not a path within the project: " + quoted(text), "a relative path without ..");
  }
  check_placeholders(path, scope, problems);
}

void check_value_name(const YamlNode& name, Problems& problems) {
  if (!is_identifier(name.text())) {
    problems.add(name, "not a name for a value: " + quoted(name.text()),
                 "a letter or _, then letters, digits and _, 64 at most");
  } else if (is_reserved_value_name(name.text())) {
    problems.add(name, "a reserved name: " + quoted(name.text()),
                 "any that is not a variable of the system or subject, run, iteration");
  }
}

}  // namespace reprise
