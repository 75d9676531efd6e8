#include "core/base/cjk.h"

#include "core/base/text.h"

namespace kymo {

bool isCjkLetter(std::string_view point)
{
    return point.size() == 4
        || (point.size() == 3
            && ((point >= "\u3040" && point <= "\u9fff")
                || (point >= "\uac00" && point <= "\ud7a3")));
}

bool areCjkSentences(const std::vector<std::string>& texts)
{
    size_t cjk = 0;
    size_t points = 0;
    size_t withoutBlank = 0;
    for (const std::string& text : texts) {
        for (const std::string& point : codePoints(text)) {
            cjk += isCjkLetter(point) ? 1 : 0;
            points += point == " " ? 0 : 1;
        }
        withoutBlank += text.find(' ') == std::string::npos ? 1 : 0;
    }
    return 2 * cjk > points && 2 * withoutBlank >= texts.size();
}

} // namespace kymo
