#include "core/data/json_members.h"

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
    using reference = const char&;

    CountingIterator(const char* at, int* line)
        : m_at(at)
        , m_line(line)
    {
    }
    reference operator*() const { return *m_at; }
    CountingIterator& operator++()
    {
        *m_line += m_isNewLine ? 1 : 0;
        m_isNewLine = *m_at == '\n';
        ++m_at;
        return *this;
    }
    bool operator==(const CountingIterator& other) const { return m_at == other.m_at; }
    bool operator!=(const CountingIterator& other) const { return m_at != other.m_at; }

private:
    const char* m_at;
    int* m_line;
    bool m_isNewLine = false; ///< the next byte begins a line
};

/// Takes the members while the library parses what holds them.
class Collector final {
public:
    explicit Collector(const int& line)
        : m_line(line)
    {
    }

    /// Whether the library is to keep it: at each object's end it looks through all that it has
    /// kept beside it.
    bool note(int depth, Json::parse_event_t event, Json& value)
    {
        using Event = Json::parse_event_t;
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
        m_members.push_back(std::exchange(m_next, {}));
        return false;
    }

    std::vector<JsonMember> take() { return std::move(m_members); }

private:
    void begin()
    {
        if (m_next.line == 0)
            m_next.line = m_line;
    }

    const int& m_line;
    JsonMember m_next;
    std::vector<JsonMember> m_members;
};

} // namespace

Result<JsonMembers> membersOfJson(std::string_view text)
{
    int line = 1;
    Collector collector(line);
    const auto note = [&](int depth, Json::parse_event_t event, Json& value) {
        return collector.note(depth, event, value);
    };
    const CountingIterator begin(text.data(), &line);
    const CountingIterator end(text.data() + text.size(), &line);
    try {
        const Json json = Json::parse(begin, end, note);
        return JsonMembers { json.type(), collector.take() };
    } catch (const Json::exception&) { // told to throw none, the library reads on before it returns
        return Error { atLine(line) + "this is not valid JSON from here on" };
    }
}

} // namespace earwright::data
