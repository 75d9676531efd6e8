#include "core/data/whisper_number_words.h"

namespace earwright::data {
namespace {

std::string replacedEnd(const std::string& word, const char* end)
{
    return word.substr(0, word.size() - 1) + end;
}

bool isJoint(std::string_view word)
{
    return word == "and" || word == "double" || word == "triple" || word == "point";
}

} // namespace

NumberWords::NumberWords()
{
    addOnes();
    addTens();
    addMultiplier("hundred", 2);
    int64_t count = 0;
    for (const char* word : { "thousand", "million", "billion", "trillion", "quadrillion",
             "quintillion", "sextillion", "septillion", "octillion", "nonillion", "decillion" })
        addMultiplier(word, count += 3);
}

void NumberWords::addOnes()
{
    int64_t one = 0;
    for (const std::string word : { "one", "two", "three", "four", "five", "six", "seven", "eight",
             "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
             "seventeen", "eighteen", "nineteen" }) {
        ones[word] = ++one;
        suffixedOnes[word == "six" ? "sixes" : word + "s"] = { one, "s" };
        if (one > 3 && one != 5 && one != 12)
            suffixedOnes[word + (word.ends_with('t') ? "h" : "th")] = { one, "th" };
    }
    suffixedOnes["zeroth"] = { 0, "th" };
    suffixedOnes["first"] = { 1, "st" };
    suffixedOnes["second"] = { 2, "nd" };
    suffixedOnes["third"] = { 3, "rd" };
    suffixedOnes["fifth"] = { 5, "th" };
    suffixedOnes["twelfth"] = { 12, "th" };
}

void NumberWords::addTens()
{
    int64_t ten = 10;
    for (const char* word :
        { "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety" }) {
        tens[word] = ten += 10;
        suffixedTens[replacedEnd(word, "ies")] = { ten, "s" };
        suffixedTens[replacedEnd(word, "ieth")] = { ten, "th" };
    }
}

void NumberWords::addMultiplier(const std::string& word, int64_t count)
{
    zeros[word] = count;
    suffixedZeros[word + "s"] = { count, "s" };
    suffixedZeros[word + "th"] = { count, "th" };
}

bool NumberWords::isZero(std::string_view word)
{
    return word == "o" || word == "oh" || word == "zero";
}

bool NumberWords::has(const std::string& word) const
{
    return isZero(word) || isJoint(word) || word == "per" || word == "percent"
        || ones.contains(word) || suffixedOnes.contains(word) || tens.contains(word)
        || suffixedTens.contains(word) || zeros.contains(word) || suffixedZeros.contains(word)
        || before.contains(word) || behind.contains(word);
}

bool NumberWords::isDecimal(const std::string& word) const
{
    return isZero(word) || ones.contains(word) || tens.contains(word);
}

const NumberWords& numberWords()
{
    static const NumberWords words;
    return words;
}

} // namespace earwright::data
