#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace earwright::data {

/// A word that ends in what ends a number in digits: "thirds" -> 3, "rds".
struct Suffixed {
    int64_t number;
    std::string suffix;
};
using Numbers = std::map<std::string, int64_t, std::less<>>;
using SuffixedNumbers = std::map<std::string, Suffixed, std::less<>>;
using Signs = std::map<std::string, std::string, std::less<>>;

/// The English words that numbers are read from, by what they do.
class NumberWords final {
public:
    Numbers ones; ///< up to nineteen
    SuffixedNumbers suffixedOnes; ///< "ones", "third"
    Numbers tens;
    SuffixedNumbers suffixedTens;
    Numbers zeros; ///< of a multiplier, by how many zeros follow
    SuffixedNumbers suffixedZeros;
    const Signs before { { "minus", "-" }, { "negative", "-" }, { "plus", "+" },
        { "positive", "+" } };
    const Signs behind { { "pound", "£" }, { "pounds", "£" }, { "euro", "€" }, { "euros", "€" },
        { "dollar", "$" }, { "dollars", "$" }, { "cent", "¢" }, { "cents", "¢" } };

    NumberWords();

    static bool isZero(std::string_view word);
    /// Any word that may be a part of a number.
    bool has(const std::string& word) const;
    /// What may stand behind "point".
    bool isDecimal(const std::string& word) const;

private:
    void addOnes();
    void addTens();
    void addMultiplier(const std::string& word, int64_t count);
};

const NumberWords& numberWords();

} // namespace earwright::data
