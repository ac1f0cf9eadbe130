// The values that a node of the graph sees by name: its own, and those of what is around it.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace reprise {

using Values = std::map<std::string, std::string>;

/// Values by name. An inner scope holds only what it adds; an item of a list of 10,000 does not copy the list.
class ValueScope {
 public:
  ValueScope(std::shared_ptr<const ValueScope> outer, Values own)
      : outer_(std::move(outer)), own_(std::move(own)) {}

  /// Returns the innermost value of that name, null if there is none.
  const std::string* find(std::string_view name) const {
    const std::string key(name);
    for (const ValueScope* scope = this; scope != nullptr; scope = scope->outer_.get()) {
      const auto found = scope->own_.find(key);
      if (found != scope->own_.end()) return &found->second;
    }
    return nullptr;
  }

  /// Returns all values, the inner ones where a name is used twice.
  Values all() const {
    Values values = own_;
    for (const ValueScope* scope = outer_.get(); scope != nullptr; scope = scope->outer_.get())
      values.insert(scope->own_.begin(), scope->own_.end());
    return values;
  }

 private:
  std::shared_ptr<const ValueScope> outer_;
  Values own_;
};

}  // namespace reprise
