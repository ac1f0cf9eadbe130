// Rare<T>: a value that is nearly always empty and then takes the room of a pointer.
//
// A run of ten thousand steps holds ten thousand stages and step records; of their many fields a few are
// set. Reads like a const T: it converts to one, and empty(), size(), begin() and end() are passed on.
// Changed by assignment or through edit().

#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace reprise {

template <typename T>
class Rare {
 public:
  Rare() = default;
  Rare(T value)  // NOLINT(google-explicit-constructor): stands for a T
      : value_(value.empty() ? nullptr : std::make_unique<T>(std::move(value))) {}
  Rare(std::initializer_list<typename T::value_type> list) : Rare(T(list)) {}
  template <typename U>
    requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, Rare> &&
             !std::same_as<std::remove_cvref_t<U>, T>)
  Rare(U&& value) : Rare(T(std::forward<U>(value))) {}  // NOLINT(google-explicit-constructor)
  Rare(const Rare& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  ~Rare() = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  Rare& operator=(Rare&&) noexcept = default;

  const T& get() const {
    static const T kEmpty;
    return value_ ? *value_ : kEmpty;
  }
  operator const T&() const { return get(); }  // NOLINT(google-explicit-constructor): reads like a T
  operator std::string_view() const            // NOLINT(google-explicit-constructor): as a string does
    requires std::same_as<T, std::string>
  {
    return get();
  }
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }
  bool empty() const { return get().empty(); }
  std::size_t size() const { return get().size(); }
  auto begin() const { return get().begin(); }
  const auto& operator[](std::size_t index) const { return get()[index]; }
  auto end() const { return get().end(); }

  /// Returns the value itself, to be changed in place.
  T& edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }

  friend bool operator==(const Rare& a, const Rare& b) { return a.get() == b.get(); }
  template <typename U>
    requires(!std::same_as<U, Rare>)
  friend bool operator==(const Rare& a, const U& b) {
    return a.get() == b;
  }

 private:
  std::unique_ptr<T> value_;
};

/// An optional value that takes the room of a pointer when it is not there. Used like std::optional.
template <typename T>
class RareOptional {
 public:
  RareOptional() = default;
  RareOptional(T value)  // NOLINT(google-explicit-constructor): as std::optional's
      : value_(std::make_unique<T>(std::move(value))) {}
  RareOptional(const RareOptional& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  RareOptional(RareOptional&&) noexcept = default;
  ~RareOptional() = default;
  RareOptional& operator=(const RareOptional& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  RareOptional& operator=(RareOptional&&) noexcept = default;

  explicit operator bool() const { return value_ != nullptr; }
  bool has_value() const { return value_ != nullptr; }
  const T& operator*() const { return *value_; }
  T& operator*() { return *value_; }
  const T* operator->() const { return value_.get(); }
  T* operator->() { return value_.get(); }
  T& emplace() { return *(value_ = std::make_unique<T>()); }

  friend bool operator==(const RareOptional& a, const RareOptional& b) {
    return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace reprise
