// What nearly every file reads (cmake/modules.cmake).
#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>
