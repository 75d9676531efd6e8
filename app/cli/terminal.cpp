#include "app/cli/terminal.h"

#include "core/base/text.h"

#include <cstdio>
#include <iostream>
#include <optional>
#include <streambuf>
#include <unistd.h>

namespace earwright::cli {

namespace {

/// Passes on what is printed, plain.
class PlainBuffer final : public std::streambuf {
public:
    explicit PlainBuffer(std::ostream& stream)
        : m_stream(stream)
        , m_target(stream.rdbuf(this))
    {
    }
    ~PlainBuffer() override { m_stream.rdbuf(m_target); }

private:
    int overflow(int c) override
    {
        const char one = static_cast<char>(c);
        return c == traits_type::eof() || xsputn(&one, 1) == 1 ? 0 : traits_type::eof();
    }
    std::streamsize xsputn(const char* text, std::streamsize size) override
    {
        const std::string plain = withoutControls({ text, static_cast<size_t>(size) });
        const auto count = std::ssize(plain);
        return m_target->sputn(plain.data(), count) == count ? size : 0;
    }
    int sync() override { return m_target->pubsync(); }

    std::ostream& m_stream;
    std::streambuf* m_target;
};

} // namespace

struct PlainTerminal::State {
    std::optional<PlainBuffer> out;
    std::optional<PlainBuffer> error;
};

PlainTerminal::PlainTerminal()
    : m_state(std::make_unique<State>())
{
    if (::isatty(STDOUT_FILENO))
        m_state->out.emplace(std::cout);
    if (::isatty(STDERR_FILENO))
        m_state->error.emplace(std::cerr);
}

PlainTerminal::~PlainTerminal() = default;

void clearLine()
{
    static const bool isTerminal = ::isatty(STDERR_FILENO) != 0;
    if (isTerminal)
        std::fputs("\r\033[K", stderr);
}

} // namespace earwright::cli
