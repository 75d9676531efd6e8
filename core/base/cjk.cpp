#include "core/base/cjk.h"

#include "core/base/code_point.h"
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

bool isCjkLetter(std::string_view point)
{
    return isIdeograph(point) || isHangul(point);
}

std::vector<std::string> mixedUnits(const std::string& text)
{
    std::vector<std::string> units;
    bool goesOn = false; // the last unit is a word that may become longer
    for (const std::string& point : codePoints(text)) {
        const bool isLetter = !isWhiteSpace(point) && !isCjkLetter(point);
        if (isLetter && goesOn)
            units.back() += point;
        else if (!isWhiteSpace(point))
            units.push_back(point);
        goesOn = isLetter;
    }
    return units;
}

} // namespace earwright
