#include "core/data/whisper_tokens.h"

#include "core/base/text.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace earwright::data {
namespace {

struct Language {
    const char* code;
    const char* name;
};

/// In the order of their tokens.
constexpr Language kLanguages[] = { { "en", "english" }, { "zh", "chinese" }, { "de", "german" },
    { "es", "spanish" }, { "ru", "russian" }, { "ko", "korean" }, { "fr", "french" },
    { "ja", "japanese" }, { "pt", "portuguese" }, { "tr", "turkish" }, { "pl", "polish" },
    { "ca", "catalan" }, { "nl", "dutch" }, { "ar", "arabic" }, { "sv", "swedish" },
    { "it", "italian" }, { "id", "indonesian" }, { "hi", "hindi" }, { "fi", "finnish" },
    { "vi", "vietnamese" }, { "he", "hebrew" }, { "uk", "ukrainian" }, { "el", "greek" },
    { "ms", "malay" }, { "cs", "czech" }, { "ro", "romanian" }, { "da", "danish" },
    { "hu", "hungarian" }, { "ta", "tamil" }, { "no", "norwegian" }, { "th", "thai" },
    { "ur", "urdu" }, { "hr", "croatian" }, { "bg", "bulgarian" }, { "lt", "lithuanian" },
    { "la", "latin" }, { "mi", "maori" }, { "ml", "malayalam" }, { "cy", "welsh" },
    { "sk", "slovak" }, { "te", "telugu" }, { "fa", "persian" }, { "lv", "latvian" },
    { "bn", "bengali" }, { "sr", "serbian" }, { "az", "azerbaijani" }, { "sl", "slovenian" },
    { "kn", "kannada" }, { "et", "estonian" }, { "mk", "macedonian" }, { "br", "breton" },
    { "eu", "basque" }, { "is", "icelandic" }, { "hy", "armenian" }, { "ne", "nepali" },
    { "mn", "mongolian" }, { "bs", "bosnian" }, { "kk", "kazakh" }, { "sq", "albanian" },
    { "sw", "swahili" }, { "gl", "galician" }, { "mr", "marathi" }, { "pa", "punjabi" },
    { "si", "sinhala" }, { "km", "khmer" }, { "sn", "shona" }, { "yo", "yoruba" },
    { "so", "somali" }, { "af", "afrikaans" }, { "oc", "occitan" }, { "ka", "georgian" },
    { "be", "belarusian" }, { "tg", "tajik" }, { "sd", "sindhi" }, { "gu", "gujarati" },
    { "am", "amharic" }, { "yi", "yiddish" }, { "lo", "lao" }, { "uz", "uzbek" },
    { "fo", "faroese" }, { "ht", "haitian creole" }, { "ps", "pashto" }, { "tk", "turkmen" },
    { "nn", "nynorsk" }, { "mt", "maltese" }, { "sa", "sanskrit" }, { "lb", "luxembourgish" },
    { "my", "myanmar" }, { "bo", "tibetan" }, { "tl", "tagalog" }, { "mg", "malagasy" },
    { "as", "assamese" }, { "tt", "tatar" }, { "haw", "hawaiian" }, { "ln", "lingala" },
    { "ha", "hausa" }, { "ba", "bashkir" }, { "jw", "javanese" }, { "su", "sundanese" },
    { "yue", "cantonese" } };

constexpr Language kOtherNames[] = { { "my", "burmese" }, { "ca", "valencian" },
    { "nl", "flemish" }, { "ht", "haitian" }, { "lb", "letzeburgesch" }, { "ps", "pushto" },
    { "pa", "panjabi" }, { "ro", "moldavian" }, { "ro", "moldovan" }, { "si", "sinhalese" },
    { "es", "castilian" }, { "zh", "mandarin" } };

std::string tokenOf(std::string_view name)
{
    return "<|" + std::string(name) + "|>";
}

/// Symbols of transcripts that stand for no speech.
const std::vector<std::string>& unspokenSymbols()
{
    static const std::vector<std::string> symbols = [] {
        std::vector<std::string> made = codePoints("\"#()*+/:;<=>@[\\]^_`{|}~「」『』");
        for (std::string& several :
            splitAtBlanks("<< >> <<< >>> -- --- -( -[ (' (\" (( )) ((( ))) [[ ]] {{ }} ♪♪ ♪♪♪"))
            made.push_back(std::move(several));
        return made;
    }();
    return symbols;
}

/// "english (en), chinese (zh), …"
std::string allLanguages()
{
    std::vector<std::string> names;
    for (const Language& language : kLanguages)
        names.push_back(std::string(language.name) + " (" + language.code + ")");
    return join(names, ", ");
}

} // namespace

Result<WhisperTokens> whisperTokens(const BytePairs& pairs)
{
    WhisperTokens tokens;
    const struct {
        int64_t WhisperTokens::*place;
        const char* name;
    } all[] = { { &WhisperTokens::endOfText, "endoftext" },
        { &WhisperTokens::startOfTranscript, "startoftranscript" },
        { &WhisperTokens::translate, "translate" }, { &WhisperTokens::transcribe, "transcribe" },
        { &WhisperTokens::startOfLm, "startoflm" }, { &WhisperTokens::startOfPrev, "startofprev" },
        { &WhisperTokens::noTimestamps, "notimestamps" } };
    for (const auto& [place, name] : all) {
        const std::optional<int64_t> index = pairs.indexOf(tokenOf(name));
        if (!index)
            return Error { "the tokenizer has no token " + tokenOf(name)
                + ", so it is none of Whisper: take that of a Whisper's folder" };
        tokens.*place = *index;
    }
    tokens.firstTimestamp = tokens.noTimestamps + 1;
    for (const Language& language : kLanguages)
        if (const std::optional<int64_t> index = pairs.indexOf(tokenOf(language.code)))
            tokens.languages.emplace(language.code, *index);
    return tokens;
}

Result<BytePairs> readWhisperPairs(const std::filesystem::path& folder)
{
    Result<BytePairs> pairs = BytePairs::read(folder);
    if (!pairs)
        return pairs;
    const Result<WhisperTokens> tokens = whisperTokens(*pairs);
    return tokens ? std::move(pairs)
                  : Error { inQuotes(folder.string()) + ": " + tokens.error().message };
}

Result<std::string> whisperLanguage(std::string_view nameOrCode)
{
    const std::string wanted = toLower(nameOrCode);
    const auto isWanted = [&](const Language& language) {
        return wanted == language.name || wanted == language.code;
    };
    if (const auto at = std::find_if(std::begin(kLanguages), std::end(kLanguages), isWanted);
        at != std::end(kLanguages))
        return std::string(at->code);
    for (const Language& other : kOtherNames)
        if (wanted == other.name)
            return std::string(other.code);
    return Error { "Whisper knows no language " + inQuotes(nameOrCode) + "; it knows "
        + allLanguages() };
}

Result<std::vector<int64_t>> prefixTokens(const WhisperTokens& tokens, const WhisperPrompt& prompt)
{
    if (prompt.task != "transcribe" && prompt.task != "translate")
        return Error { "Whisper has no task " + inQuotes(prompt.task)
            + "; set it to transcribe or translate" };
    std::vector<int64_t> prefix { tokens.startOfTranscript };
    if (prompt.isMultilingual) {
        const std::string asked = prompt.language.value_or("en");
        const Result<std::string> code = whisperLanguage(asked);
        if (!code)
            return code.error();
        const auto language = tokens.languages.find(*code);
        if (language == tokens.languages.end())
            return Error { "this Whisper has no token for " + inQuotes(asked) + ", "
                + tokenOf(*code) + ": set another language, or take a model that knows it" };
        prefix.push_back(language->second);
        prefix.push_back(prompt.task == "transcribe" ? tokens.transcribe : tokens.translate);
    }
    prefix.push_back(tokens.noTimestamps);
    return prefix;
}

std::vector<int64_t> nonSpeechTokens(const BytePairs& pairs)
{
    // Hyphens and quotes stand within words, but begin none.
    std::set<int64_t> tokens { pairs.encode(" -").front(), pairs.encode(" '").front() };
    const auto add = [&](const std::string& symbol, bool isFirstEnough) {
        for (const std::string& text : { symbol, " " + symbol }) {
            const std::vector<int64_t> encoded = pairs.encode(text);
            if (encoded.size() == 1 || isFirstEnough)
                tokens.insert(encoded.front());
        }
    };
    for (const std::string& symbol : unspokenSymbols())
        add(symbol, false);
    for (const std::string& note : codePoints("♩♪♫♬♭♮♯"))
        add(note, true); // the first two of its three bytes are theirs alone
    return { tokens.begin(), tokens.end() };
}

std::vector<int64_t> suppressedTokens(
    const BytePairs& pairs, const WhisperTokens& tokens, const std::vector<int64_t>& asked)
{
    if (asked.empty())
        return {};
    std::set<int64_t> all { tokens.transcribe, tokens.translate, tokens.startOfTranscript,
        tokens.startOfPrev, tokens.startOfLm };
    for (const int64_t token : asked)
        if (token >= 0)
            all.insert(token);
    if (std::find(asked.begin(), asked.end(), -1) != asked.end())
        for (const int64_t token : nonSpeechTokens(pairs))
            all.insert(token);
    return { all.begin(), all.end() };
}

std::vector<int64_t> blankTokens(const BytePairs& pairs, const WhisperTokens& tokens)
{
    std::vector<int64_t> blanks = pairs.encode(" ");
    blanks.push_back(tokens.endOfText);
    return blanks;
}

} // namespace earwright::data
