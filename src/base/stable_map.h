// StableMap: a hash map that keeps its entries in the order in which they came and never moves them.
//
// For tables of thousands of entries that are walked as often as they are looked up: the entries lie side
// by side in pieces of memory, so that a walk is a scan, and pointers to them stay good while the map
// lives. Entries are never removed. Iteration gives pairs, as std::unordered_map does.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace reprise {

template <typename Key, typename T>
class StableMap {
 public:
  using key_type = Key;
  using mapped_type = T;
  using value_type = std::pair<const Key, T>;

  template <typename Map, typename Value>
  class Iterator {
   public:
    using value_type = std::remove_const_t<Value>;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(Map* map, std::size_t index) : map_(map), index_(index) {}
    Value& operator*() const { return map_->entry(index_); }
    Value* operator->() const { return &map_->entry(index_); }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++index_;
      return before;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    Map* map_ = nullptr;
    std::size_t index_ = 0;
  };
  using iterator = Iterator<StableMap, value_type>;
  using const_iterator = Iterator<const StableMap, const value_type>;

  StableMap() = default;
  StableMap(StableMap&& other) noexcept { swap(other); }
  StableMap(const StableMap& other) {
    reserve(other.size());
    for (const value_type& value : other) (*this)[value.first] = value.second;
  }
  StableMap& operator=(StableMap other) noexcept {
    swap(other);
    return *this;
  }
  ~StableMap() {
    for (std::size_t i = 0; i < size_; ++i) std::destroy_at(&entry(i));
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  iterator begin() { return {this, 0}; }
  iterator end() { return {this, size_}; }
  const_iterator begin() const { return {this, 0}; }
  const_iterator end() const { return {this, size_}; }

  iterator find(const Key& key) { return {this, index_of(key)}; }
  const_iterator find(const Key& key) const { return {this, index_of(key)}; }
  bool contains(const Key& key) const { return index_of(key) != size_; }

  /// Returns the value of `key`, which is put in if it is not there.
  T& operator[](Key key) {
    const std::size_t hash = std::hash<Key>()(key);
    const std::size_t index = index_of(key, hash);
    return entry(index == size_ ? append(std::move(key), hash) : index).second;
  }

  /// Makes room for `count` entries.
  void reserve(std::size_t count) {
    if (count * 2 > slots_.size()) rehash(count * 2);
  }

 private:
  static constexpr std::size_t kPiece = 64;
  struct Slot {
    std::uint32_t place = 0;  // of the entry, counted from 1; 0: free
    std::uint32_t hash = 0;   // part of it, so that most other keys need not be looked at
  };
  struct Piece {
    alignas(value_type) std::byte bytes[kPiece * sizeof(value_type)];
  };

  value_type& entry(std::size_t index) const {
    return reinterpret_cast<value_type*>(pieces_[index / kPiece]->bytes)[index % kPiece];
  }

  std::size_t index_of(const Key& key) const { return index_of(key, std::hash<Key>()(key)); }
  std::size_t index_of(const Key& key, std::size_t hash) const {
    if (slots_.empty()) return size_;
    for (std::size_t at = hash & mask(); slots_[at].place != 0; at = (at + 1) & mask()) {
      const std::size_t index = slots_[at].place - 1;
      if (slots_[at].hash == part(hash) && entry(index).first == key) return index;
    }
    return size_;
  }

  std::size_t append(Key key, std::size_t hash) {
    if ((size_ + 1) * 2 > slots_.size()) rehash((size_ + 1) * 4);
    if (size_ % kPiece == 0) pieces_.push_back(std::unique_ptr<Piece>(new Piece));  // not zeroed: built below
    std::construct_at(&entry(size_), std::piecewise_construct, std::forward_as_tuple(std::move(key)),
                      std::forward_as_tuple());
    place(hash, size_);
    return size_++;
  }

  void place(std::size_t hash, std::size_t index) {
    std::size_t at = hash & mask();
    while (slots_[at].place != 0) at = (at + 1) & mask();
    slots_[at] = {static_cast<std::uint32_t>(index + 1), part(hash)};
  }

  void rehash(std::size_t wanted) {
    std::size_t count = 16;
    while (count < wanted) count *= 2;
    slots_.assign(count, {});
    for (std::size_t i = 0; i < size_; ++i) place(std::hash<Key>()(entry(i).first), i);
  }

  void swap(StableMap& other) noexcept {
    std::swap(pieces_, other.pieces_);
    std::swap(slots_, other.slots_);
    std::swap(size_, other.size_);
  }

  std::size_t mask() const { return slots_.size() - 1; }
  static std::uint32_t part(std::size_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  std::vector<std::unique_ptr<Piece>> pieces_;
  std::vector<Slot> slots_;  // a power of two of them, at most half of them taken
  std::size_t size_ = 0;
};

}  // namespace reprise
