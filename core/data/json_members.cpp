#include "core/data/json_members.h"

#include "core/base/bytes.h"
#include "core/base/json_depth.h"
#include "core/base/text.h"

#include <cstddef>
#include <iterator>
#include <utility>

namespace earwright::data {
namespace {

/// Bytes of a text for the JSON library, which keeps no places; tells the line of the last byte
/// that it has read.
class CountingIterator final {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    /// Without a text: the end of any.
    explicit CountingIterator(std::streambuf* text = nullptr, int* line = nullptr)
        : m_text(text)
        , m_line(line)
    {
    }
    value_type operator*() const { return static_cast<char>(m_text->sgetc()); }
    CountingIterator& operator++()
    {
        *m_line += m_isNewLine ? 1 : 0;
        m_isNewLine = m_text->sbumpc() == '\n';
        return *this;
    }
    bool operator==(const CountingIterator& other) const { return isAtEnd() == other.isAtEnd(); }
    bool operator!=(const CountingIterator& other) const { return !(*this == other); }

private:
    bool isAtEnd() const
    {
        return m_text == nullptr || m_text->sgetc() == std::char_traits<char>::eof();
    }

    std::streambuf* m_text;
    int* m_line;
    bool m_isNewLine = false; ///< the next byte begins a line
};

using TakeMember = std::function<Status(JsonMember member, Json::value_t outermost)>;

/// Thrown inside the JSON library, which calls us, and caught behind it: so it reads no further.
struct Stopped {
    Error error;
};

/// Hands the members on while the library parses what holds them.
class Collector final {
public:
    Collector(const int& line, const TakeMember& take)
        : m_line(line)
        , m_take(take)
    {
    }

    /// Whether the library is to keep it: at each object's end it looks through all that it has
    /// kept beside it.
    bool note(int depth, Json::parse_event_t event, Json& value)
    {
        using Event = Json::parse_event_t;
        if (depth > kMostJsonLevels)
            throw Stopped { { atLine(m_line) + "more than " + std::to_string(kMostJsonLevels)
                + " lists and objects inside each other" } };
        if (depth == 0)
            m_outermost = event == Event::object_start ? Json::value_t::object
                : event == Event::array_start          ? Json::value_t::array
                                                       : m_outermost;
        if (depth != 1)
            return true;
        if (event == Event::key) {
            m_next = { value.get<std::string>(), m_line };
            return true;
        }
        begin();
        if (event == Event::object_start || event == Event::array_start)
            return true;
        m_next.value = std::move(value);
        if (const Status taken = m_take(std::exchange(m_next, {}), m_outermost); !taken)
            throw Stopped { taken.error() };
        return false;
    }

private:
    void begin()
    {
        if (m_next.line == 0)
            m_next.line = m_line;
    }

    const int& m_line;
    const TakeMember& m_take;
    JsonMember m_next;
    Json::value_t m_outermost = Json::value_t::null;
};

} // namespace

Result<JsonMembers> membersOfJson(std::string_view text)
{
    TextBytes bytes(text);
    JsonMembers members;
    const Result<Json::value_t> outermost
        = eachJsonMember(bytes, [&](JsonMember member, Json::value_t) -> Status {
              members.all.push_back(std::move(member));
              return Done {};
          });
    if (!outermost)
        return outermost.error();
    members.outermost = *outermost;
    return members;
}

Result<Json::value_t> eachJsonMember(std::streambuf& text, const TakeMember& take)
{
    int line = 1;
    Collector collector(line, take);
    const auto note = [&](int depth, Json::parse_event_t event, Json& value) {
        return collector.note(depth, event, value);
    };
    try {
        return Json::parse(CountingIterator(&text, &line), CountingIterator(), note).type();
    } catch (const Stopped& stopped) {
        return stopped.error;
    } catch (const Json::exception&) { // told to throw none, the library reads on before it returns
        return Error { atLine(line) + "this is not valid JSON from here on" };
    }
}

} // namespace earwright::data
