#pragma once

#include "app/cli/terminal.h"
#include "core/data/prepare/go_on.h"

#include <chrono>
#include <iostream>
#include <string>
#include <unistd.h>

namespace earwright::cli {

/// Counts files on standard error: one line redrawn on a terminal, else one now and then.
class FileCounter final {
public:
    explicit FileCounter(std::string what)
        : m_what(std::move(what))
    {
    }
    ~FileCounter()
    {
        if (m_isShown)
            clearLine();
    }
    FileCounter(const FileCounter&) = delete;
    FileCounter& operator=(const FileCounter&) = delete;

    data::GoOn counting()
    {
        using namespace std::chrono_literals;
        const auto show = [this](const std::string& how) {
            m_isShown = true;
            clearLine();
            std::cerr << how << (m_isTerminal ? "" : "\n") << std::flush;
        };
        return data::telling([] { return true; }, m_what, show, m_isTerminal ? 200ms : 10000ms);
    }

private:
    std::string m_what;
    bool m_isTerminal = isatty(STDERR_FILENO) != 0;
    bool m_isShown = false;
};

} // namespace earwright::cli
