#include "core/data/prepare/wav_scp.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <vector>

namespace earwright::data {
namespace {

constexpr const char* kBlanks = " \t";

using Words = std::vector<std::string>;

/// The words of a command, which quotes may hold together; none where a shell would do more than
/// pass them on.
Words plainWords(const std::string& command)
{
    Words words;
    for (size_t at = 0; (at = command.find_first_not_of(kBlanks, at)) != std::string::npos;) {
        const size_t quote = command[at] == '\'' || command[at] == '"' ? 1 : 0;
        const size_t end = quote != 0
            ? command.find(command[at], at + 1)
            : std::min(command.find_first_of(kBlanks, at), command.size());
        if (end == std::string::npos)
            return {};
        words.push_back(command.substr(at + quote, end - at - quote));
        at = end + quote;
        if (words.back().find_first_of("|;&<>$`\\\"'*?") != std::string::npos)
            return {};
    }
    return words;
}

constexpr const char* kAny = "*";

/// An option that changes nothing that reading the file would not do too.
struct Option {
    std::string name;
    Words values = {}; ///< one of which stands behind it; none = it takes no value
};
using Options = std::vector<Option>;

/// PROGRAM before… MARK FILE behind… OUTPUT
struct Program {
    std::string name;
    Options before = {};
    std::string mark = {}; ///< "" = none
    Options behind = {};
    Words outputs = {}; ///< one of which is the last word; none = the file is
};

const std::vector<Program>& programs()
{
    // An input's -r, -c and -v in sox's words change how it sounds; -c 1 of its output averages.
    static const Options soxBefore { { "-t", { "wav", "flac", "sph", "aiff", "au", "mp3", "ogg" } },
        { "-q" }, { "-R" }, { "-D" }, { "-V0" }, { "-V1" }, { "-V2" }, { "-V3" } };
    static const Options soxBehind { { "-t", { "wav" } }, { "-r", { kAny } },
        { "-b", { "16", "24", "32" } }, { "-c", { "1" } },
        { "-e", { "signed", "signed-integer", "float", "floating-point" } } };
    static const Options ffmpegBefore { { "-y" }, { "-nostdin" }, { "-nostats" },
        { "-hide_banner" }, { "-loglevel", { kAny } }, { "-v", { kAny } },
        { "-threads", { kAny } } };
    static const Words pcm { "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le" };
    static const Options ffmpegBehind = [] {
        Options options { { "-ar", { kAny } }, { "-ac", { "1" } }, { "-f", { "wav" } }, { "-vn" },
            { "-acodec", pcm }, { "-c:a", pcm }, { "-codec:a", pcm },
            { "-sample_fmt", { "s16", "s32", "flt" } }, { "-bitexact" } };
        options.insert(options.end(), ffmpegBefore.begin(), ffmpegBefore.end());
        return options;
    }();
    static const std::vector<Program> all { { .name = "cat" },
        { "sox", soxBefore, "", soxBehind, { "-" } },
        { "ffmpeg", ffmpegBefore, "-i", ffmpegBehind, { "-", "pipe:", "pipe:1" } },
        { .name = "sph2pipe",
            .before = { { "-f", { "wav", "rif" } }, { "-p" }, { "-c", { "1", "2" } } } } };
    return all;
}

bool contains(const Words& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

using Rest = std::span<const std::string>;

/// Passes over options and their values.
Rest behindOptions(Rest words, const Options& options)
{
    while (!words.empty()) {
        const auto option = std::find_if(options.begin(), options.end(),
            [&](const Option& one) { return one.name == words.front(); });
        if (option == options.end())
            break;
        const bool isAlone = option->values.empty();
        const bool isValued = words.size() > 1
            && (contains(option->values, kAny) || contains(option->values, words[1]));
        if (!isAlone && !isValued)
            break;
        words = words.subspan(isAlone ? 1 : 2);
    }
    return words;
}

/// "rate -v 16k" and nothing behind it.
bool isOnlyRate(Rest effects)
{
    return !effects.empty() && effects.front() == "rate"
        && std::all_of(effects.begin() + 1, effects.end(), [](const std::string& word) {
               return word.starts_with('-') || (word[0] >= '0' && word[0] <= '9');
           });
}

/// An option or an effect, as a message names it; "" of what else may stand there, as another file.
std::string nameIn(Rest words)
{
    const std::string word = words.empty() ? "" : words.front();
    const bool isEffect = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
    return word.size() > 1 && (word.starts_with('-') || isEffect) ? word : "";
}

/// The file, or what of the command stands in its way.
struct CommandFile {
    std::string file = {};
    std::string obstacle = {};
};

CommandFile fileIn(Rest words, const Program& program)
{
    words = behindOptions(words, program.before);
    if (!program.mark.empty() && (words.empty() || words.front() != program.mark))
        return { "", nameIn(words) };
    words = words.subspan(program.mark.empty() ? 0 : 1);
    if (words.empty() || words.front().starts_with('-'))
        return { "", nameIn(words) };
    const std::string file = words.front();
    words = behindOptions(words.subspan(1), program.behind);
    if (!program.outputs.empty()) {
        if (words.empty() || !contains(program.outputs, words.front()))
            return { "", nameIn(words) };
        words = words.subspan(1);
    }
    if (words.empty() || (program.name == "sox" && isOnlyRate(words)))
        return { file };
    return { "", nameIn(words) };
}

/// "-c -d -s" or "-cds"; without -d flac encodes.
bool areDecoding(const Words& options)
{
    const std::string letters = join(options, "");
    return letters.find_first_not_of("-cds") == std::string::npos
        && letters.find('c') != std::string::npos && letters.find('d') != std::string::npos;
}

CommandFile fileOfFlac(Words words)
{
    const std::string file = words.back();
    words.pop_back();
    return { areDecoding(words) && !file.starts_with('-') ? file : "" };
}

std::optional<int> channelOf(const std::string& program, const Words& words)
{
    const auto option = std::find(words.begin(), words.end(), "-c");
    const bool isThere = program == "sph2pipe" && words.end() - option > 1;
    return isThere ? parseNumber<int>(*(option + 1)) : std::nullopt;
}

std::string firstWord(const std::string& command)
{
    const Words words = splitAtBlanks(command, " \t");
    return words.empty() ? "" : words.front();
}

CommandFile read(const std::string& program, const Words& words)
{
    if (program == "flac" && !words.empty())
        return fileOfFlac(words);
    for (const Program& known : programs())
        if (known.name == program)
            return fileIn(words, known);
    return {};
}

Source sourceOfCommand(const std::string& command)
{
    const std::string first = firstWord(command);
    const std::string program = std::filesystem::path(first).filename().string();
    Words words = plainWords(command);
    if (!words.empty())
        words.erase(words.begin());
    const auto [file, obstacle] = read(program, words);
    if (file.empty())
        return { .whyNone = whyNotExecuted(first + (obstacle.empty() ? "" : ": " + obstacle)) };
    return { .path = file, .channel = channelOf(program, words) };
}

} // namespace

Source sourceOf(const std::string& entry)
{
    if (entry.empty())
        return { .whyNone = "no path in wav.scp" };
    if (entry.starts_with('|'))
        return { .whyNone = whyNotExecuted(firstWord(entry.substr(1))) };
    if (entry.ends_with('|'))
        return sourceOfCommand(entry.substr(0, entry.size() - 1));
    const size_t colon = entry.rfind(':');
    if (colon != std::string::npos && entry.find(".ark") < colon)
        return { .whyNone = "an entry of an archive in wav.scp: unpack it to a file" };
    return { .path = entry };
}

std::string whyNotExecuted(const std::string& what)
{
    if (what.empty())
        return "an empty command in wav.scp: write the path of a file";
    return "a command in wav.scp (" + what + "), and none is executed: write its output to a file";
}

} // namespace earwright::data
