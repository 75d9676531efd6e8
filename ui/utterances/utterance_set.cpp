#include "ui/utterances/utterance_set.h"

#include "core/base/file.h"
#include "core/base/unspaced.h"
#include "core/data/recipe_data.h"
#include "ui/widgets/counted.h"

#include <algorithm>
#include <QCoreApplication>
#include <QHash>
#include <QSet>

namespace earwright::ui {

namespace {

std::filesystem::path folderPathOf(const QString& runPath)
{
    return runPath.toStdU16String();
}

data::SoundPart partOf(const run::UtterancePart& part)
{
    return { .begin = part.begin,
        .end = part.end,
        .seconds = part.seconds,
        .countsSamples = part.countsSamples,
        .channel = part.channel };
}

double percentOf(const std::optional<score::ErrorRate>& edits)
{
    return edits ? edits->percent() : UtteranceRow::kUnknown;
}

UtteranceRow utteranceRowOf(const run::Utterance& utterance, const std::string& rate)
{
    const score::ErrorRate& edits = run::countedEdits(utterance, rate);
    UtteranceRow row { .id = QString::fromStdString(utterance.id),
        .speaker = QString::fromStdString(utterance.speaker),
        .reference = QString::fromStdString(utterance.reference),
        .hypothesis = QString::fromStdString(utterance.hypothesis),
        .seconds = utterance.seconds < 0 ? UtteranceRow::kUnknown : utterance.seconds,
        .wer = percentOf(utterance.byWord),
        .cer = percentOf(utterance.byCharacter),
        .substitutions = edits.substitutions,
        .deletions = edits.deletions,
        .insertions = edits.insertions,
        .tokens = edits.tokens,
        .sound = utterance.sound,
        .part = partOf(utterance.part) };
    for (const std::string& phrase : utterance.missedHotwords)
        row.missed << QString::fromStdString(phrase);
    return row;
}

Result<plan::Plan> settingsOf(const run::RunFolder& folder)
{
    const Result<std::string> json = readFile(folder.path / "plan.json");
    return json ? plan::settingsFromJson(*json) : Result<plan::Plan>(json.error());
}

void noteWhatIsKnown(UtteranceSet& set)
{
    const auto isKnown
        = [&](auto claim) { return std::any_of(set.rows.begin(), set.rows.end(), claim); };
    set.hasSpeakers = isKnown([](const UtteranceRow& row) { return !row.speaker.isEmpty(); });
    set.hasSeconds = isKnown([](const UtteranceRow& row) { return row.seconds >= 0; });
    set.hasWer = isKnown([](const UtteranceRow& row) { return row.wer >= 0; });
    set.hasCer = isKnown([](const UtteranceRow& row) { return row.cer >= 0; });
}

QString setText(const char* text)
{
    return QCoreApplication::translate("UtteranceSet", text);
}

/// The same in the unit that counts, however the blanks are set.
bool haveSameUnits(const QString& a, const std::string& b, const UtteranceSet& set)
{
    const std::string first = a.toStdString();
    if (first == b)
        return true;
    return set.rate == u"CER"
        ? unspacedUnits(first) == unspacedUnits(b)
        : score::words(first, set.wordSplit) == score::words(b, set.wordSplit);
}

QString otherReferences(int count)
{
    return counted(count,
        setText("%1 utterance has another reference text in the other evaluation: it is not "
                "compared."),
        setText("%1 utterances have another reference text in the other evaluation: they are not "
                "compared."));
}

/// By ID and reference: sets may be of another order, or number their utterances alike.
void compareWith(UtteranceSet& set, const ChosenEvaluation& other)
{
    set.isCompared = true;
    const QString otherRate = QString::fromStdString(other.evaluated.rate);
    if (otherRate != set.rate) {
        set.otherError = setText("The other evaluation counts the %1, this one the %2: choose one "
                                 "with the same rate to compare with.")
                             .arg(otherRate, set.rate);
        return;
    }
    const run::RunFolder folder { folderPathOf(other.runPath) };
    const auto read = run::readUtterances(folder, other.evaluated);
    if (!read) {
        set.otherError = QString::fromStdString(read.error().message);
        return;
    }
    QHash<QString, const run::Utterance*> byId;
    byId.reserve(static_cast<qsizetype>(read->size()));
    for (const run::Utterance& utterance : *read)
        byId.insert(QString::fromStdString(utterance.id), &utterance);
    int numOtherReferences = 0;
    for (UtteranceRow& row : set.rows) {
        const run::Utterance* same = byId.value(row.id);
        if (!same)
            continue;
        if (!haveSameUnits(row.reference, same->reference, set)) {
            ++numOtherReferences;
            continue;
        }
        ++set.numMatched;
        row.otherHypothesis = QString::fromStdString(same->hypothesis);
        row.otherRate = percentOf(set.rate == u"CER" ? same->byCharacter : same->byWord);
        row.difference = row.otherRate - (set.rate == u"CER" ? row.cer : row.wer);
    }
    if (numOtherReferences > 0)
        set.otherError = otherReferences(numOtherReferences);
}

/// The manifest of an evaluation, whose split has its name in the recipe.
void findManifest(UtteranceSet& set, const run::RunFolder& folder, const std::string& split)
{
    const Result<plan::Plan> plan = run::readPlan(folder);
    if (!plan) {
        set.manifestError = QString::fromStdString(plan.error().message);
        return;
    }
    set.columns = plan->settings.data.columns;
    for (const char* kind : { "test", "valid", "train" })
        for (const data::NamedManifest& named : data::manifestsOf(*plan->recipe, kind))
            if (named.name == split && set.manifest.empty())
                set.manifest = std::filesystem::path(plan->workingFolder) / named.path;
    if (set.manifest.empty() || !isFile(set.manifest))
        set.manifestError = set.manifest.empty()
            ? setText("The recipe names no manifest for '%1'.").arg(QString::fromStdString(split))
            : setText("The manifest '%1' is not there.")
                  .arg(QString::fromStdString(set.manifest.string()));
}

void amend(UtteranceSet& set, const data::Amendments& amendments)
{
    QHash<QString, QString> corrected;
    for (const data::Correction& one : amendments.corrections)
        corrected.insert(QString::fromStdString(one.id), QString::fromStdString(one.newText));
    QSet<QString> quarantined;
    for (const std::string& id : amendments.quarantined)
        quarantined.insert(QString::fromStdString(id));
    const QString leftOut = setText("left out");
    set.hasCorrections = set.hasQuarantine = false;
    for (UtteranceRow& row : set.rows) {
        row.corrected = corrected.value(row.id);
        row.quarantine = quarantined.contains(row.id) ? leftOut : QString();
        set.hasCorrections = set.hasCorrections || !row.corrected.isEmpty();
        set.hasQuarantine = set.hasQuarantine || !row.quarantine.isEmpty();
    }
}

void readAmendmentsOf(UtteranceSet& set)
{
    if (!set.manifestError.isEmpty())
        return;
    const auto read = data::readAmendments(set.manifest);
    if (read)
        amend(set, *read);
    else
        set.manifestError = QString::fromStdString(read.error().message);
}

} // namespace

UtteranceSetPtr amendedSet(const UtteranceSet& set, const data::Amendments& amendments)
{
    auto amended = std::make_shared<UtteranceSet>(set);
    amend(*amended, amendments);
    return amended;
}

bool ChosenEvaluation::isSame(const ChosenEvaluation& other) const
{
    const run::Evaluated& a = evaluated;
    const run::Evaluated& b = other.evaluated;
    return runPath == other.runPath && a.split == b.split && a.step == b.step
        && a.alignmentsFile == b.alignmentsFile && a.wer == b.wer && a.cer == b.cer;
}

bool UtteranceRow::isText(int column)
{
    return column == Id || column == Speaker || column == Reference || column == Hypothesis
        || column == OtherHypothesis || column == Corrected || column == Quarantine
        || column == StrangeWords || column == InOther;
}

const QString& UtteranceRow::text(int column) const
{
    Q_ASSERT(isText(column));
    return column == Id          ? id
        : column == Speaker      ? speaker
        : column == Reference    ? reference
        : column == Hypothesis   ? hypothesis
        : column == Corrected    ? corrected
        : column == Quarantine   ? quarantine
        : column == StrangeWords ? strangeWords
        : column == InOther      ? inOther
                                 : otherHypothesis;
}

double UtteranceRow::figure(int column) const
{
    switch (column) {
    case Seconds:
        return seconds;
    case Wer:
        return wer;
    case Cer:
        return cer;
    case Substitutions:
        return static_cast<double>(substitutions);
    case Deletions:
        return static_cast<double>(deletions);
    case Insertions:
        return static_cast<double>(insertions);
    case OtherRate:
        return otherRate;
    case Difference:
        return difference;
    case SameTexts:
        return sameTexts;
    case SameSounds:
        return sameSounds;
    case Silence:
        return silence;
    case Clipped:
        return clipped;
    default:
        return kUnknown;
    }
}

SoundPlace soundPlaceOf(const UtteranceSet& set, const UtteranceRow& row)
{
    return row.sound.empty() ? SoundPlace {}
                             : SoundPlace { set.workingFolder / row.sound, row.part };
}

UtteranceSetPtr readUtteranceSet(
    const ChosenEvaluation& chosen, const std::optional<ChosenEvaluation>& other)
{
    auto set = std::make_shared<UtteranceSet>();
    set->rate = QString::fromStdString(chosen.evaluated.rate);
    const run::RunFolder folder { folderPathOf(chosen.runPath) };
    const auto read = run::readUtterances(folder, chosen.evaluated);
    if (!read) {
        set->error = QString::fromStdString(read.error().message);
        return set;
    }
    const Result<plan::Plan> settings = settingsOf(folder);
    if (settings) {
        set->workingFolder = settings->workingFolder;
        set->wordSplit = score::wordSplitOf(settings->options.splitWords);
    }
    set->rows.reserve(read->size());
    for (const run::Utterance& utterance : *read)
        set->rows.push_back(utteranceRowOf(utterance, chosen.evaluated.rate));
    noteWhatIsKnown(*set);
    findManifest(*set, folder, chosen.evaluated.split);
    readAmendmentsOf(*set);
    if (other)
        compareWith(*set, *other);
    return set;
}

} // namespace earwright::ui
