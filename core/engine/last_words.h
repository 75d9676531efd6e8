#pragma once

#include <functional>
#include <string>

namespace earwright::engine {

/// While it lives, an exception that no thread catches is told to `say`, which must not return,
/// before the process ends. c10d throws NCCL's errors so, in a thread of its own, and
/// std::terminate would say "signal 6" alone. One at a time in a process.
class LastWords final {
public:
    explicit LastWords(std::function<void(const std::string& cause)> say);
    ~LastWords();
    LastWords(const LastWords&) = delete;
    LastWords& operator=(const LastWords&) = delete;
};

} // namespace earwright::engine
