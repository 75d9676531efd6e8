#include "ui/utterances/manifest_set.h"

#include "core/base/unspaced.h"
#include "core/data/encoder_source.h"
#include "core/data/manifest_survey.h"
#include "core/run/follower.h"
#include "core/run/run_folder.h"

#include <algorithm>
#include <QCoreApplication>
#include <unordered_set>

namespace earwright::ui {

namespace {

QString manifestText(const char* text)
{
    return QCoreApplication::translate("ManifestSet", text);
}

/// How a run reads a manifest, and what it cuts texts by.
struct RunReading {
    std::optional<data::TextEncoder> encoder {}; ///< nothing where the run has none yet
    settings::ManifestColumns columns {};
    std::string dataFolder {};
    std::filesystem::path workingFolder {};
};

RunReading readingOf(const QString& runPath)
{
    RunReading reading;
    const run::RunFolder folder { std::filesystem::path(runPath.toStdU16String()) };
    const Result<plan::Plan> plan = runPath.isEmpty() ? Error {} : run::readPlan(folder);
    if (!plan)
        return reading;
    reading.columns = plan->settings.data.columns;
    reading.dataFolder = plan->settings.data.dataFolder;
    reading.workingFolder = plan->workingFolder;
    Result<data::TextEncoder> encoder
        = data::TextEncoder::load(data::encoderFile(*plan->recipe, folder.path));
    if (encoder)
        reading.encoder = std::move(*encoder);
    return reading;
}

/// IDs of what a run had in steps whose loss or gradients were not finite.
std::unordered_set<std::string> badUtterances(const QString& runPath)
{
    std::unordered_set<std::string> ids;
    if (runPath.isEmpty())
        return ids;
    run::Follower follower(run::RunFolder { std::filesystem::path(runPath.toStdU16String()) });
    if (!follower.poll())
        return ids; // the run's pages say why
    for (const run::NonFinite& event : follower.snapshot().nonFinite)
        ids.insert(event.utterances.begin(), event.utterances.end());
    return ids;
}

UtteranceRow manifestRowOf(const data::SurveyedUtterance& surveyed, bool haveWords)
{
    const data::Utterance& utterance = surveyed.utterance;
    UtteranceRow row { .id = QString::fromStdString(utterance.id),
        .speaker = QString::fromStdString(utterance.speaker),
        .reference = QString::fromStdString(utterance.text),
        .seconds = utterance.durationSeconds,
        .sound = utterance.wav,
        .part = utterance.part };
    row.tokens = static_cast<int64_t>(haveWords
            ? score::words(utterance.text, score::WordSplit::WhiteSpace).size()
            : unspacedUnits(utterance.text).size());
    QStringList strange;
    for (const std::string& word : surveyed.strangeWords)
        strange << QString::fromStdString(word);
    row.strangeWords = strange.join(u' ');
    row.sameTexts = static_cast<double>(surveyed.sameTexts);
    row.sameSounds = static_cast<double>(surveyed.sameSounds);
    row.inOther = surveyed.isInOther ? manifestText("yes") : QString();
    if (surveyed.silence >= 0) {
        row.silence = 100 * surveyed.silence;
        row.clipped = 100 * surveyed.clipped;
    }
    return row;
}

QString surveySummary(
    const data::ManifestSurvey& survey, const ManifestChoice& choice, bool hasTokenizer)
{
    QStringList letters;
    for (const auto& [letter, count] : survey.alphabet)
        letters << QString::fromStdString(letter);
    constexpr qsizetype kMostLetters = 60;
    const auto countOf = [&](auto claim) {
        return static_cast<qsizetype>(std::ranges::count_if(survey.rows, claim));
    };
    QStringList parts {
        manifestText("'%1': %2 rows, %3 h, %4 speakers, %5 letters: %6")
            .arg(QString::fromStdString(choice.file.filename().string()),
                QString::number(survey.rows.size()), QString::number(survey.seconds / 3600, 'f', 2),
                QString::number(survey.speakers), QString::number(letters.size()),
                letters.first(std::min(kMostLetters, letters.size())).join(u' ')
                    + (letters.size() > kMostLetters ? QStringLiteral(" …") : QString()))
    };
    if (hasTokenizer)
        parts << manifestText("%1 with words outside the run's tokenizer")
                     .arg(countOf([](const auto& row) { return !row.strangeWords.empty(); }));
    if (!choice.other.empty())
        parts << manifestText("%1 in '%2' too")
                     .arg(QString::number(survey.inOther),
                         QString::fromStdString(choice.other.filename().string()));
    if (choice.readsSounds)
        parts << manifestText("%1 without a sound that can be read")
                     .arg(countOf([](const auto& row) { return !row.problem.empty(); }));
    return parts.join(QStringLiteral("; "));
}

bool areUnspaced(const data::ManifestSurvey& survey)
{
    UnspacedShare share;
    for (const data::SurveyedUtterance& row : survey.rows)
        share.add(row.utterance.text);
    return share.isMost();
}

} // namespace

UtteranceSetPtr readManifestSet(const ManifestChoice& choice, const std::function<bool()>& goOn)
{
    auto set = std::make_shared<UtteranceSet>();
    set->isManifest = true;
    set->manifest = choice.file;
    const RunReading reading = readingOf(choice.runPath);
    set->columns = reading.columns;
    set->workingFolder = reading.workingFolder;
    const auto survey = data::surveyManifest(choice.file,
        { .dataRoot = reading.dataFolder,
            .workingFolder = reading.workingFolder,
            .columns = reading.columns,
            .encoder = reading.encoder ? &*reading.encoder : nullptr,
            .other = choice.other,
            .readsSounds = choice.readsSounds,
            .goOn = goOn });
    if (!survey) {
        set->error = QString::fromStdString(survey.error().message);
        return set;
    }
    const bool haveWords = !areUnspaced(*survey);
    set->rate = haveWords ? QStringLiteral("WER") : QStringLiteral("CER");
    const std::unordered_set<std::string> bad = badUtterances(choice.runPath);
    for (const data::SurveyedUtterance& row : survey->rows) {
        UtteranceRow& added = set->rows.emplace_back(manifestRowOf(row, haveWords));
        added.isOfBadStep = bad.contains(row.utterance.id);
        set->numOfBadSteps += added.isOfBadStep ? 1 : 0;
    }
    set->hasSeconds = true;
    set->hasSpeakers = survey->speakers > 0;
    set->hasTokenizer = reading.encoder.has_value();
    set->hasOther = !choice.other.empty();
    set->hasHeard = choice.readsSounds;
    set->summary = surveySummary(*survey, choice, set->hasTokenizer);
    const auto noted = data::readAmendments(choice.file);
    if (noted)
        return amendedSet(*set, *noted);
    set->manifestError = QString::fromStdString(noted.error().message);
    return set;
}

} // namespace earwright::ui
