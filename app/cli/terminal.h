#pragma once

#include <memory>

namespace earwright::cli {

/// While it lives, std::cout and std::cerr show control characters as "\x1b" where they are a
/// terminal. It would obey those of IDs, paths, run names and texts of files.
class PlainTerminal final {
public:
    PlainTerminal();
    ~PlainTerminal();
    PlainTerminal(const PlainTerminal&) = delete;
    PlainTerminal& operator=(const PlainTerminal&) = delete;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Begins the last line of standard error anew; nothing where that is no terminal.
void clearLine();

} // namespace earwright::cli
