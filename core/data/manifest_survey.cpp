#include "core/data/manifest_survey.h"

#include "core/base/each_code_point.h"
#include "core/base/text.h"
#include "core/data/audio.h"
#include "core/data/other_letters.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <thread>
#include <unordered_map>
#include <unordered_set>

namespace earwright::data {

namespace {

constexpr double kSilentPower = 1e-4; ///< of the loudest frame's: 40 dB
constexpr float kFullScale = 0.9995F; ///< 16 bits end at 32767 / 32768
constexpr unsigned kMostSurveyThreads = 16;

using SurveyedPlace = std::pair<std::string, SoundPart>;
using Surveyed = std::vector<SurveyedUtterance>;

SurveyedPlace surveyedPlace(const Utterance& utterance)
{
    return { std::filesystem::path(utterance.wav).lexically_normal().string(), utterance.part };
}

void countSame(Surveyed& rows)
{
    std::unordered_map<std::string, int64_t> texts;
    std::map<SurveyedPlace, int64_t> sounds;
    for (const SurveyedUtterance& row : rows) {
        ++texts[row.utterance.text];
        ++sounds[surveyedPlace(row.utterance)];
    }
    for (SurveyedUtterance& row : rows) {
        row.sameTexts = texts[row.utterance.text];
        row.sameSounds = sounds[surveyedPlace(row.utterance)];
    }
}

Status findInOther(ManifestSurvey& survey, const SurveyOptions& options)
{
    if (options.other.empty())
        return Done {};
    std::unordered_set<std::string> ids;
    std::map<SurveyedPlace, int64_t> sounds;
    const auto take = [&](const Utterance& utterance) {
        ids.insert(utterance.id);
        ++sounds[surveyedPlace(utterance)];
    };
    if (const Status read = eachUtterance(options.other, options.dataRoot, take, options.columns);
        !read)
        return read;
    for (SurveyedUtterance& row : survey.rows) {
        row.isInOther
            = ids.contains(row.utterance.id) || sounds.contains(surveyedPlace(row.utterance));
        survey.inOther += row.isInOther ? 1 : 0;
    }
    return Done {};
}

void countLetters(ManifestSurvey& survey)
{
    std::map<std::string, int64_t, std::less<>> counts;
    for (const SurveyedUtterance& row : survey.rows)
        for (const std::string& word : splitAtBlanks(row.utterance.text, " \t\r\n"))
            eachCodePoint(word, [&](std::string_view letter) {
                const auto known = counts.find(letter);
                if (known == counts.end())
                    counts.emplace(letter, 1);
                else
                    ++known->second;
            });
    survey.alphabet.assign(counts.begin(), counts.end());
    std::ranges::stable_sort(
        survey.alphabet, std::greater(), &std::pair<std::string, int64_t>::second);
}

/// Letters are asked for once each: a text has few.
void findStrangeWords(ManifestSurvey& survey, const TextEncoder& encoder)
{
    std::unordered_set<std::string> strange;
    for (const auto& [letter, count] : survey.alphabet)
        if (otherLetters({ letter }, encoder).words > 0)
            strange.insert(letter);
    if (strange.empty())
        return;
    for (SurveyedUtterance& row : survey.rows)
        for (const std::string& word : splitAtBlanks(row.utterance.text, " \t\r\n"))
            if (std::ranges::any_of(codePoints(word),
                    [&](const std::string& letter) { return strange.contains(letter); }))
                row.strangeWords.push_back(word);
}

double silenceOf(const Audio& audio)
{
    const auto frame = std::max<size_t>(1, static_cast<size_t>(audio.sampleRateHz) / 100);
    std::vector<double> powers;
    for (size_t begin = 0; begin < audio.samples.size(); begin += frame) {
        const size_t end = std::min(begin + frame, audio.samples.size());
        double sum = 0;
        for (size_t i = begin; i < end; ++i)
            sum += double(audio.samples[i]) * audio.samples[i];
        powers.push_back(sum / static_cast<double>(end - begin));
    }
    const double loudest = powers.empty() ? 0 : *std::ranges::max_element(powers);
    const auto silent = std::ranges::count_if(
        powers, [&](double power) { return power <= kSilentPower * loudest; });
    return powers.empty() ? 1 : static_cast<double>(silent) / static_cast<double>(powers.size());
}

void hear(SurveyedUtterance& row, const std::filesystem::path& workingFolder)
{
    const Result<Audio> audio
        = readAudio((workingFolder / row.utterance.wav).string(), 0, row.utterance.part);
    if (!audio) {
        row.problem = audio.error().message;
        return;
    }
    const auto clipped = std::ranges::count_if(
        audio->samples, [](float sample) { return std::abs(sample) >= kFullScale; });
    row.silence = silenceOf(*audio);
    row.clipped = audio->samples.empty()
        ? 0
        : static_cast<double>(clipped) / static_cast<double>(audio->samples.size());
}

void hearAll(Surveyed& rows, const SurveyOptions& options)
{
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        for (size_t i = next++; i < rows.size() && options.goOn(); i = next++)
            hear(rows[i], options.workingFolder);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1;
         i < std::clamp(std::thread::hardware_concurrency(), 1U, kMostSurveyThreads); ++i)
        threads.emplace_back(work);
    work();
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace

Result<ManifestSurvey> surveyManifest(
    const std::filesystem::path& manifest, const SurveyOptions& options)
{
    ManifestSurvey survey;
    std::unordered_set<std::string> speakers;
    const Status read = eachUtterance(
        manifest, options.dataRoot,
        [&](Utterance utterance) {
            survey.seconds += utterance.durationSeconds;
            if (!utterance.speaker.empty())
                speakers.insert(utterance.speaker);
            survey.rows.push_back({ .utterance = std::move(utterance) });
        },
        options.columns);
    if (!read)
        return read.error();
    survey.speakers = static_cast<int64_t>(speakers.size());
    countSame(survey.rows);
    if (const Status found = findInOther(survey, options); !found)
        return found.error();
    countLetters(survey);
    if (options.encoder != nullptr)
        findStrangeWords(survey, *options.encoder);
    if (options.readsSounds)
        hearAll(survey.rows, options);
    return survey;
}

} // namespace earwright::data
