#pragma once

#include <cstddef>

namespace earwright::recipe {

// What a recipe may grow to: far more than any real one needs, so little that time and memory stay
// small. A shared value counts each time it is used.

constexpr size_t kMaxDepth = 100; ///< levels inside each other
constexpr size_t kMaxNodes = 200'000;
constexpr size_t kMaxBytes = size_t { 32 } << 20; ///< of all texts together
constexpr size_t kMaxTextBytes = size_t { 1 } << 20; ///< of one text that references make
constexpr size_t kMaxArithmeticBytes = size_t { 64 } << 10; ///< a longer text is no arithmetic
constexpr size_t kMaxTupleBytes = size_t { 4 }
    << 20; ///< of all tuples' texts, each in each around it
constexpr size_t kMaxChain = 300; ///< references and containers on the way to one value
constexpr size_t kMaxExpansions = 50; ///< texts that lead to texts
constexpr size_t kMaxIncludedFiles = 200;
constexpr size_t kMaxIncludeDepth = 20;
constexpr size_t kMaxComparedNames = 200'000; ///< for suggestions, of all errors together
constexpr size_t kMaxDiagnostics = 1000; ///< that are listed

} // namespace earwright::recipe
