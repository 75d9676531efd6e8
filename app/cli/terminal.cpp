#include "app/cli/terminal.h"

#include "core/base/text.h"

#include <cstdio>
#include <iostream>
#include <optional>
#include <streambuf>
#include <unistd.h>
#include <utility>

namespace earwright::cli {

namespace {

/// Where the last letter begins, if some of its bytes are still to come; else the end.
size_t begunLetterAt(std::string_view text)
{
    constexpr size_t kMostBytes = 4;
    for (size_t count = 1; count < kMostBytes && count <= text.size(); ++count) {
        const auto byte = static_cast<unsigned char>(text[text.size() - count]);
        const size_t wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
        if (wanted > 1 || byte < 0x80)
            return text.size() - (wanted > count && byte < 0xF5 ? count : 0);
    }
    return text.size();
}

/// Passes on what is printed, plain.
class PlainBuffer final : public std::streambuf {
public:
    explicit PlainBuffer(std::ostream& stream)
        : m_stream(stream)
        , m_target(stream.rdbuf(this))
    {
    }
    ~PlainBuffer() override
    {
        pass(std::exchange(m_begun, {}));
        m_stream.rdbuf(m_target);
    }

private:
    int overflow(int c) override
    {
        const char one = static_cast<char>(c);
        return c == traits_type::eof() || xsputn(&one, 1) == 1 ? 0 : traits_type::eof();
    }
    std::streamsize xsputn(const char* text, std::streamsize size) override
    {
        std::string whole = std::move(m_begun).append(text, static_cast<size_t>(size));
        m_begun = whole.substr(begunLetterAt(whole));
        whole.resize(whole.size() - m_begun.size());
        return pass(whole) ? size : 0;
    }
    int sync() override { return m_target->pubsync(); }

    bool pass(const std::string& text)
    {
        const std::string plain = withoutControls(text);
        const auto count = std::ssize(plain);
        return m_target->sputn(plain.data(), count) == count;
    }

    std::ostream& m_stream;
    std::streambuf* m_target;
    std::string m_begun; ///< of a letter whose other bytes come with the next text
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
