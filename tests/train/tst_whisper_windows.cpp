#include "core/tasks/whisper/task_windows.h"

#include "core/data/audio.h"
#include "core/data/manifest.h"
#include "core/train/recogniser.h"
#include "tests/data/byte_pair_cases.h"
#include "tests/engine/program.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"
#include "tests/train/rank_run.h"
#include "tests/train/timed_whisper.h"

#include <QTemporaryDir>

using namespace earwright;
using earwright::tests::RankRun;

namespace {

constexpr int64_t kFirstStamp = 100;

/// A sound of so many frames: each has its own number.
torch::Tensor numberedMel(int64_t frames, double first)
{
    return torch::arange(first, first + static_cast<double>(frames), torch::kFloat)
        .unsqueeze(0)
        .repeat({ 2, 1 });
}

/// The recipe of the cases, which runs the greedy search as `transformers` does.
std::string greedyRecipe()
{
    QString text = QString::fromStdString(*readFile(EARWRIGHT_CASES_DIR "/train/whisper.yaml"));
    text.replace("S2SWhisperBeamSearcher", "S2SWhisperGreedySearcher");
    text.replace("module: [!ref <whisper>]", "model: !ref <whisper>");
    text.replace("beam_size: 2", "suppress_tokens: \"\"");
    return text.toStdString();
}

QString segmentsText(const std::vector<train::HeardSegment>& segments)
{
    QString text;
    for (const train::HeardSegment& one : segments)
        text += QString("%1 %2 ").arg(one.beginSeconds, 0, 'f', 2).arg(one.endSeconds, 0, 'f', 2)
            + QString::fromStdString(one.text) + "\n";
    return text;
}

/// Of what was recorded of a sound of so many frames, behind which no time is here.
QString segmentsText(const nlohmann::json& segments, size_t frames)
{
    const double seconds = static_cast<double>(frames) / 100;
    std::vector<train::HeardSegment> read;
    for (const auto& one : segments)
        read.push_back({ std::min(one[0].get<double>(), seconds),
            std::min(one[1].get<double>(), seconds), one[2] });
    return segmentsText(read);
}

} // namespace

/// How Whisper moves through sounds, and what it hears in long ones.
class TstWhisperWindows final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void windows_followTheTimeStamps();
    void stop_endsBetweenWindows();
    void longSound_goesByWindowsUnlessAskedOtherwise();
    void shortSound_goesByNoWindowsBesideALongOne();
    void times_endWithTheSound();
    void silence_hasAnEmptyListOfSegments();
    void prefix_leavesNoPlaceForTimes();
    void vocabularyWithoutTimes_isNamed();
    void longSpeech_isHeardAsUpstream();

private:
    /// Of weights as they are.
    RankRun untrained(const std::string& name, const std::filesystem::path& whisper,
        const std::string& text = greedyRecipe()) const;
    /// Noise of so many seconds.
    data::Utterance sound(const std::string& id, int seconds) const;
    Result<train::Recogniser> recogniserOf(
        const RankRun& run, const train::DecodeSetting& setting) const;
    std::filesystem::path at(const std::string& name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    QTemporaryDir m_folder;
    RankRun m_timed; ///< of a model that writes times
};

void TstWhisperWindows::initTestCase()
{
    tests::makeTimedFolder(at("timed"), tests::kTimedVocabulary);
    m_timed = untrained("timed run", at("timed"));
}

data::Utterance TstWhisperWindows::sound(const std::string& id, int seconds) const
{
    const std::filesystem::path wav = at(id + ".wav");
    if (!tests::writeSound(
            wav, tests::noise(static_cast<size_t>(seconds) * 8000), { .sampleRateHz = 8000 }))
        qFatal("no sound");
    return { .id = id, .wav = wav.string(), .durationSeconds = static_cast<double>(seconds) };
}

RankRun TstWhisperWindows::untrained(
    const std::string& name, const std::filesystem::path& whisper, const std::string& text) const
{
    tests::writeNoises(at("noises"), 2);
    const std::filesystem::path recipe = at(name + ".yaml");
    if (!writeFileAtomically(recipe, text))
        qFatal("no recipe");
    RankRun run { .folder = at(name),
        .data = at("noises"),
        .recipe = recipe,
        .overrides = { "--whisper_hub=" + whisper.string(), "--number_of_epochs=0" } };
    std::string errors;
    const auto folder = run::createRunFolder(run.folder, run.plan(errors));
    const QString why = folder ? run.train() : QString::fromStdString(folder.error().message);
    if (!why.isEmpty())
        qFatal("%s", qPrintable(why));
    return run;
}

Result<train::Recogniser> TstWhisperWindows::recogniserOf(
    const RankRun& run, const train::DecodeSetting& setting) const
{
    std::string errors;
    return train::Recogniser::load(run.plan(errors), run.folder,
        *train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints()), at::kCPU, setting);
}

/// The first sound moves by its pair, then to its end; the second has one window.
void TstWhisperWindows::windows_followTheTimeStamps()
{
    std::vector<std::vector<double>> begins;
    const auto write = [&](const torch::Tensor& mel_BMF) {
        begins.emplace_back();
        std::vector<std::vector<int64_t>> texts;
        for (int64_t row = 0; row < mel_BMF.size(0); ++row) {
            begins.back().push_back(mel_BMF[row][1][0].item<double>());
            const bool isFirst = begins.size() == 1 && row == 0;
            const int64_t end = kFirstStamp + 1000;
            texts.push_back(isFirst ? std::vector { kFirstStamp, int64_t(1), end, end, int64_t(2) }
                                    : std::vector { kFirstStamp, int64_t(3), kFirstStamp + 50 });
        }
        if (mel_BMF.size(2) != 3000)
            qFatal("a window has 30 s");
        if (begins.size() == 2 // 500 frames are left
            && (mel_BMF[0][0][499].item<double>() != 2499
                || mel_BMF[0][0][500].item<double>() != 0))
            qFatal("zeros stand behind the end");
        return texts;
    };
    const auto heard = train::hearWindows(
        { numberedMel(2500, 0), numberedMel(3000, 7000) }, write, kFirstStamp, {});
    QVERIFY(heard);
    QCOMPARE(begins, (std::vector<std::vector<double>> { { 0, 7000 }, { 2000 } }));
    QCOMPARE(heard->at(0).size(), size_t(2));
    QCOMPARE(heard->at(0)[0].endFrame, int64_t(2000));
    QCOMPARE(heard->at(0)[1].beginFrame, int64_t(2000));
    QCOMPARE(heard->at(0)[1].endFrame, int64_t(2100));
    QCOMPARE(heard->at(1).size(), size_t(1));
}

void TstWhisperWindows::stop_endsBetweenWindows()
{
    int windows = 0;
    const auto write = [&](const torch::Tensor&) {
        ++windows;
        return std::vector<std::vector<int64_t>> { { kFirstStamp, 1, kFirstStamp + 50 } };
    };
    const std::vector<torch::Tensor> mels { numberedMel(6000, 0) };
    QVERIFY(!train::hearWindows(mels, write, kFirstStamp, [] { return false; }));
    QCOMPARE(windows, 1);
    QVERIFY(train::hearWindows(mels, write, kFirstStamp, [] { return true; }));
    QCOMPARE(windows, 3);
}

void TstWhisperWindows::longSound_goesByWindowsUnlessAskedOtherwise()
{
    const std::vector<data::Utterance> sounds { sound("long", 40) };
    auto windows = recogniserOf(m_timed, {});
    QVERIFY2(windows, windows ? "" : windows.error().message.c_str());
    QVERIFY(windows->hearsByWindows());
    int asked = 0;
    const auto heard = windows->recognise(sounds, 1, {}, [&] { return ++asked > 0; });
    QVERIFY2(heard, heard ? "" : heard.error().message.c_str());
    QCOMPARE(asked, 2); // between the windows and behind the last
    QCOMPARE(segmentsText(heard->front().segments), QString("0.00 30.00 A\n30.00 40.00 A\n"));
    QCOMPARE(heard->front().text(), std::string("AA"));
    QVERIFY(!heard->front().isScored);
    const auto stopped = windows->recognise(sounds, 1, {}, [] { return false; });
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().message, std::string("stopped"));
    auto cut = recogniserOf(m_timed, { .maxSegmentSeconds = 30 });
    QVERIFY(cut && !cut->hearsByWindows());
    const auto parts = cut->recognise(sounds, 1);
    QVERIFY(parts);
    QCOMPARE(parts->front().segments.size(), size_t(2));
}

/// They share a batch where a manifest says less than a sound has.
void TstWhisperWindows::shortSound_goesByNoWindowsBesideALongOne()
{
    data::Utterance longer = sound("longer", 40);
    longer.durationSeconds = 4;
    const data::Utterance shorter = sound("shorter", 3);
    auto recogniser = recogniserOf(m_timed, {});
    QVERIFY2(recogniser, recogniser ? "" : recogniser.error().message.c_str());
    const auto alone = recogniser->recognise({ shorter }, 2);
    const auto together = recogniser->recognise({ longer, shorter }, 2);
    QVERIFY(alone && together);
    QCOMPARE(segmentsText(together->front().segments), QString("0.00 30.00 A\n30.00 40.00 A\n"));
    QVERIFY(together->back().segments.empty());
    QCOMPARE(together->back().text(), alone->front().text());
}

void TstWhisperWindows::times_endWithTheSound()
{
    auto recogniser = recogniserOf(m_timed, { .wantsTimes = true });
    QVERIFY2(recogniser, recogniser ? "" : recogniser.error().message.c_str());
    const auto heard = recogniser->recognise({ sound("two", 2), sound("five", 5) }, 2);
    QVERIFY2(heard, heard ? "" : heard.error().message.c_str());
    QCOMPARE(segmentsText(heard->front().segments), QString("0.00 2.00 A\n"));
    QCOMPARE(segmentsText(heard->back().segments), QString("0.00 5.00 A\n"));
}

void TstWhisperWindows::silence_hasAnEmptyListOfSegments()
{
    tests::makeTimedFolder(at("silent"), tests::kTimedVocabulary, tests::Says::Nothing);
    const RankRun run = untrained("silent run", at("silent"));
    const data::Utterance noise = sound("noise", 2);
    const auto written = [&](const QStringList& more) {
        const tests::Ended ended = tests::runEarwright(
            QStringList { "transcribe", QString::fromStdString(run.folder.string()),
                QString::fromStdString(noise.wav), "--device", "cpu", "--format", "json" }
            + more);
        if (ended.code != 0)
            qFatal("%s", qPrintable(ended.errors));
        return nlohmann::json::parse(ended.output.toStdString()).at("utterances").at(0);
    };
    const nlohmann::json timed = written({ "--timestamps" });
    QCOMPARE(timed.at("text").get<std::string>(), std::string());
    QVERIFY(timed.contains("segments"));
    QVERIFY(timed.at("segments").is_array() && timed.at("segments").empty());
    QVERIFY(!written({}).contains("segments"));
}

/// Long sounds are cut at silence then.
void TstWhisperWindows::prefix_leavesNoPlaceForTimes()
{
    const RankRun run = untrained("prefix run", at("timed"),
        train::with(
            greedyRecipe(), "suppress_tokens: \"\"", "suppress_tokens: \"\"\n    prefix: A"));
    const auto refused = recogniserOf(run, { .wantsTimes = true });
    QVERIFY(!refused);
    QCOMPARE(refused.error().message,
        std::string("time stamps begin the text of each window, where 'prefix' of test_search "
                    "would stand: leave it out"));
    const auto cut = recogniserOf(run, {});
    QVERIFY2(cut, cut ? "" : cut.error().message.c_str());
    QVERIFY(!cut->hearsByWindows());
}

void TstWhisperWindows::vocabularyWithoutTimes_isNamed()
{
    tests::makeTimedFolder(at("few"), 265);
    const auto refused = recogniserOf(untrained("few run", at("few")), { .wantsTimes = true });
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.find("has 265 tokens (vocab_size)") != std::string::npos,
        refused.error().message.c_str());
}

/// Utterances of so762 put behind each other, against `transformers` (write_timestamps.py).
void TstWhisperWindows::longSpeech_isHeardAsUpstream()
{
    const std::filesystem::path whisper = tests::whisperTinyEn();
    const std::filesystem::path data = whisper / ".." / ".." / "data" / "so762";
    if (whisper.empty() || !isFile(data / "test.csv"))
        QSKIP("set EARWRIGHT_RECIPES_DIR to a folder beside which models/whisper-tiny.en and "
              "data/so762 lie");
    auto recogniser = recogniserOf(untrained("real run", whisper), { .wantsTimes = true });
    QVERIFY2(recogniser, recogniser ? "" : recogniser.error().message.c_str());
    const auto rows = data::readManifest((data / "test.csv").string(), data.string());
    QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
    const auto recorded
        = nlohmann::json::parse(*readFile(EARWRIGHT_CASES_DIR "/decode/timestamps/long.json"));
    std::vector<data::Utterance> sounds;
    std::vector<size_t> counts; // of samples
    for (const auto& sound : recorded) {
        std::vector<float> samples;
        for (size_t i = 0; i < sound.at("count").get<size_t>(); ++i) {
            const auto audio
                = data::readAudio(rows->at(sound.at("first").get<size_t>() + i).wav, 0);
            QVERIFY2(audio, audio ? "" : audio.error().message.c_str());
            samples.insert(samples.end(), audio->samples.begin(), audio->samples.end());
        }
        counts.push_back(samples.size());
        const std::filesystem::path wav = at(std::to_string(sounds.size()) + ".wav");
        QVERIFY(tests::writeSound(wav, samples, { .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT }));
        sounds.push_back({ .id = wav.stem().string(),
            .wav = wav.string(),
            .durationSeconds = static_cast<double>(samples.size()) / 16000 });
    }
    const auto heard = recogniser->recognise(sounds, 4);
    QVERIFY2(heard, heard ? "" : heard.error().message.c_str());
    for (size_t i = 0; i < sounds.size(); ++i) {
        QCOMPARE(QString::fromStdString((*heard)[i].text()),
            QString::fromStdString(recorded[i].at("text").get<std::string>()));
        QCOMPARE(segmentsText((*heard)[i].segments),
            segmentsText(recorded[i].at("segments"), counts[i] / 160));
    }
}

EARWRIGHT_TEST(TstWhisperWindows)
#include "tst_whisper_windows.moc"
