#include "core/base/cjk.h"

#include "core/base/text.h"

namespace earwright {

namespace {

bool isHangul(std::string_view point)
{
    return point.size() == 3 && point >= "\uac00" && point <= "\ud7a3";
}

} // namespace

bool isIdeograph(std::string_view point)
{
    return point.size() == 4 || (point.size() == 3 && point >= "\u3040" && point <= "\u9fff");
}

bool isIdeograph(char32_t point)
{
    return point > 0xffff || (point >= 0x3040 && point <= 0x9fff);
}

bool isBlankPoint(std::string_view point)
{
    return trim(point).empty() || point == "\u3000";
}

bool isCjkLetter(std::string_view point)
{
    return isIdeograph(point) || isHangul(point);
}

bool areCjkSentences(const std::vector<std::string>& texts)
{
    size_t cjk = 0;
    size_t units = 0; // a long English word weighs no more than an ideograph
    for (const std::string& text : texts) {
        const bool isWhole = text.find(' ') == std::string::npos;
        for (const std::string& point : codePoints(text))
            cjk += isIdeograph(point) || (isWhole && isHangul(point)) ? 1 : 0;
        units += mixedUnits(text).size();
    }
    return 2 * cjk > units;
}

std::vector<std::string> mixedUnits(const std::string& text)
{
    std::vector<std::string> units;
    bool goesOn = false; // the last unit is a word that may become longer
    for (const std::string& point : codePoints(text)) {
        const bool isLetter = !isBlankPoint(point) && !isCjkLetter(point);
        if (isLetter && goesOn)
            units.back() += point;
        else if (!isBlankPoint(point))
            units.push_back(point);
        goesOn = isLetter;
    }
    return units;
}

} // namespace earwright
