#include "tests/engine/refusals.h"
#include "tests/engine/small_run.h"
#include "tests/registry.h"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace earwright::tests;
using nlohmann::json;

namespace {

constexpr struct {
    const char* name;
    const char* options;
    int code;
    const char* said;
} kRefusedOptions[] = {
    { "no such option", "--beams=3", 2, "--beams" },
    { "beams", "--beam-size 0", 2, "takes a whole number from 1 to 1000000" },
    { "too many", "--beam-size 2000000", 2, "number from 1 to 1000000" },
    { "option", "--hotword x", 2, "did you mean --hotwords?" },
    { "format", "--format xml", 2, "--format is text or json" },
    { "no list", "--hotword-weight 2", 1, "needs a list of them" },
    { "no model to weigh", "--word-bonus 2", 1, "name one with --lm" },
    { "nbest", "--nbest 9 --beam-size 3", 2, "than --beam-size keeps" },
    { "device", "--device cuda:99", 1, "cuda:99" },
    { "segments", "--max-segment-seconds 4", 2, "--max-segment-seconds takes 5 or more" },
    { "no number of seconds", "--max-segment-seconds nan", 2, "--max-segment-seconds takes" },
    { "times of a CTC output", "--timestamps", 1, "--timestamps are written by Whisper alone" },
    { "times of several texts", "--timestamps --nbest 2", 2, "--timestamps writes one text" },
    { "devices", "--device cpu:2", 1, "takes one device" },
    { "device's name", "--device gpu", 1, "takes cpu, cuda or cuda:N" },
};

} // namespace

/// `earwright transcribe` on a small model of real digits: what is heard, and with what.
class TstTranscribe : public QObject, private SmallRun {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void audioFiles_areNamedByTheirPath();
    void folder_isItsSounds();
    void foldersOfAFolder_areReadToo();
    void csv_needsNoTextsAndDurations();
    void brokenSound_costsItsOwnTextAlone();
    void longSound_isHeardInSegments();
    void callOfGsm_isHeard();
    void wrongDuration_isNotBelieved();
    void importWithoutTraining_isTranscribedAndExported();
    void languageModel_andHotwordsTurnTexts();
    void damagedLanguageModelOfABundle_isOneError();
    void whatCannotBeDone_isSaid_data();
    void whatCannotBeDone_isSaid();
};

void TstTranscribe::initTestCase()
{
    if (!train())
        QSKIP(kNoRealData);
}

void TstTranscribe::audioFiles_areNamedByTheirPath()
{
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const Ended ended = runEarwright({ "transcribe", m_run, wav, wav, "--device", "cpu" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const QStringList lines = ended.output.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith(wav + "\t"));
    QCOMPARE(lines[0], lines[1]);
    QVERIFY(ended.errors.isEmpty()); // nothing to score
}

/// Another rate and two channels are said; an equals sign in a name makes it no option.
void TstTranscribe::folder_isItsSounds()
{
    QVERIFY(QDir().mkpath(path("sounds")));
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const QString copy = path("sounds/b." + QFileInfo(wav).suffix());
    QVERIFY(QFile::copy(wav, copy));
    writeStereo44k(wav, path("sounds/a=1.wav"));
    write("sounds/notes.txt", "no sound");
    const Ended ended = runEarwright({ "transcribe", m_run, path("sounds"), "--device", "cpu" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const QStringList lines = ended.output.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith(path("sounds/a=1.wav") + "\t"));
    QVERIFY(lines[1].startsWith(copy + "\t"));
    QVERIFY2(ended.errors.startsWith("of 2 files 1 are averaged to one channel, 1 are resampled"),
        qPrintable(ended.errors));
    const Ended named
        = runEarwright({ "transcribe", m_run, path("sounds/a=1.wav"), "--device", "cpu" });
    QCOMPARE(named.output, lines[0] + "\n");
}

/// Links are followed, but to what holds the folder; each folder is read once, by the first of its
/// links in their order; hidden ones are not.
void TstTranscribe::foldersOfAFolder_areReadToo()
{
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    for (const char* folder : { "nested/b/c", "nested/.hidden", "linked" })
        QVERIFY(QDir().mkpath(path(folder)));
    const QString name = "x." + QFileInfo(wav).suffix();
    for (const char* folder :
        { "nested/b/c/", "nested/b/", "nested/", "nested/.hidden/", "linked/" })
        QVERIFY(QFile::copy(wav, path(folder + name)));
    QVERIFY(QFile::link(path("linked"), path("nested/a")));
    QVERIFY(QFile::link(path("nested"), path("nested/b/c/back")));
    QVERIFY(QFile::link(path("nested/b"), path("linked/b")));
    QVERIFY(QFile::link(path("linked"), path("linked/self")));
    QVERIFY(QFile::link("..", path("nested/up")));
    for (char later = 'd'; later < 'l'; ++later)
        QVERIFY(QFile::link(path("linked"), path("nested/") + later));
    QStringList expected;
    for (const char* folder : { "a/", "b/c/", "b/", "" })
        expected.append(path("nested/") + folder + name);
    const Ended ended = runEarwright({ "transcribe", m_run, path("nested"), "--device", "cpu" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QStringList ids;
    for (const QString& line : ended.output.split('\n', Qt::SkipEmptyParts))
        ids.append(line.section('\t', 0, 0));
    QCOMPARE(ids, expected);
}

void TstTranscribe::csv_needsNoTextsAndDurations()
{
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    for (QStringList& row : rows)
        row = { row[0], row[2] };
    writeRows(path("bare.csv"), rows);
    const Ended bare = runEarwright(
        { "transcribe", m_run, path("bare.csv"), "--data-folder", path("set"), "--device", "cpu" });
    QVERIFY2(bare.code == 0, qPrintable(bare.errors));
    QVERIFY2(bare.errors.isEmpty(), qPrintable(bare.errors));
    QCOMPARE(bare.output,
        runEarwright({ "transcribe", m_run, path("set/test.csv"), "--device", "cpu" }).output);
    rows[2] = { rows[1][0], rows[1][1] };
    writeRows(path("twice.csv"), rows);
    const Ended twice = runEarwright({ "transcribe", m_run, path("twice.csv"), "--device", "cpu" });
    QVERIFY2(twice.errors.contains("twice.csv', line 3: the ID"), qPrintable(twice.errors));
}

void TstTranscribe::brokenSound_costsItsOwnTextAlone()
{
    write("broken.wav", "RIFF of nothing");
    const QString good = readRows(path("set/test.csv")).at(1)[2];
    const QStringList asked { "transcribe", m_run, good, path("broken.wav"), good, "--device",
        "cpu" };
    const Ended ended = runEarwright(asked);
    QCOMPARE(ended.code, 1);
    QCOMPARE(ended.output.count(good + "\t"), 2);
    QVERIFY(!ended.output.contains("broken.wav"));
    QVERIFY2(ended.errors.startsWith("utterance '" + path("broken.wav") + "': "),
        qPrintable(ended.errors));
    QVERIFY2(ended.errors.contains("1 of 3 utterances have no text"), qPrintable(ended.errors));
    const Ended listed = runEarwright(asked + QStringList { "--format", "json" });
    const json entries = json::parse(listed.output.toStdString()).at("utterances");
    QVERIFY(entries.at(0).contains("text") && !entries.at(1).contains("text"));
    QVERIFY(entries.at(1).at("error").get<std::string>().find("broken.wav") != std::string::npos);
}

/// Digits with pauses between, 13 s and more, which is said and shown in the JSON alone.
void TstTranscribe::longSound_isHeardInSegments()
{
    const QString good = readRows(path("set/test.csv")).at(1)[2];
    const QString file = path("long.wav");
    const double seconds = writeRepeated(good, file, 13);
    const auto heard = [&](const QStringList& more) {
        return runEarwright(
            QStringList { "transcribe", m_run, file, good, "--device", "cpu" } + more);
    };
    const Ended whole = heard({});
    QVERIFY2(whole.code == 0 && whole.errors.isEmpty(), qPrintable(whole.errors));
    const Ended cut = heard({ "--max-segment-seconds", "5" });
    QVERIFY2(cut.code == 0, qPrintable(cut.errors));
    QCOMPARE(cut.errors,
        QString("of 2 sounds 1 are longer than 5 s: their segments, cut where it is quietest, are "
                "decoded separately\n"));
    QCOMPARE(cut.output.split('\n')[1], whole.output.split('\n')[1]);
    const Ended listed = heard({ "--max-segment-seconds", "5", "--format", "json" });
    const json entries = json::parse(listed.output.toStdString()).at("utterances");
    const json& segments = entries.at(0).at("segments");
    QVERIFY(segments.size() >= 3 && !entries.at(1).contains("segments"));
    double end = 0;
    std::string text;
    for (const json& segment : segments) {
        QCOMPARE(segment.at("begin_seconds").get<double>(), end);
        end = segment.at("end_seconds").get<double>();
        const auto own = segment.at("text").get<std::string>();
        text += (text.empty() || own.empty() ? "" : " ") + own;
    }
    QVERIFY2(std::abs(end - seconds) < 0.01, std::to_string(end).c_str());
    QCOMPARE(entries.at(0).at("text").get<std::string>(), text);
    QCOMPARE(cut.output.split('\n')[0], file + "\t" + QString::fromStdString(text));
}

void TstTranscribe::callOfGsm_isHeard()
{
    writeAs(readRows(path("set/test.csv")).at(1)[2], path("call.wav"),
        SF_FORMAT_WAV | SF_FORMAT_GSM610);
    const Ended ended = runEarwright({ "transcribe", m_run, path("call.wav"), "--device", "cpu" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    std::vector<QStringList> rows = readRows(path("set/train.csv"));
    rows[1][2] = path("call.wav");
    writeRows(path("calls.csv"), rows);
    const Ended checked = runEarwright({ "check", m_data.recipe, "--data_folder=" + path("set"),
        "--train_csv=" + path("calls.csv") });
    QVERIFY2(checked.code == 0, qPrintable(checked.output + checked.errors));
}

/// Batches and segments are by what the file's header says.
void TstTranscribe::wrongDuration_isNotBelieved()
{
    const QString file = path("minutes.wav");
    writeRepeated(readRows(path("set/test.csv")).at(1)[2], file, 70);
    write("wrong.csv", "ID,duration,wav\nu," + QByteArray("1.0,") + file.toUtf8() + "\n");
    const Ended ended = runEarwright({ "transcribe", m_run, path("wrong.csv"), "--device", "cpu" });
    QVERIFY2(ended.errors.contains("of 1 sounds 1 are longer than 60 s"), qPrintable(ended.errors));
}

void TstTranscribe::importWithoutTraining_isTranscribedAndExported()
{
    const QString run = path("imported");
    const Ended trained
        = runEarwright({ "train", m_data.recipe, "--data_folder=" + path("set"), "--devices", "cpu",
            "--run-dir", run, "--number_of_epochs=0", "--channels=32", "--init_param=" + m_run });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
    QCOMPARE(runEarwright({ "export", run, path("imported.zip") }).code, 0);
    const auto heard = [&](const QString& model) {
        const Ended ended
            = runEarwright({ "transcribe", model, path("set/test.csv"), "--device", "cpu" });
        return ended.code == 0 ? ended.output : ended.errors;
    };
    QCOMPARE(heard(run), heard(m_run));
    QCOMPARE(heard(path("imported.zip")), heard(m_run));
}

void TstTranscribe::languageModel_andHotwordsTurnTexts()
{
    // What one sentence allows: a heavy model leaves little else.
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const QString word = readRows(path("set/test.csv")).at(1)[4].split(' ').first();
    const auto heard = [&](const QStringList& more) {
        const Ended ended
            = runEarwright(QStringList { "transcribe", m_run, wav, "--device", "cpu" } + more);
        return ended.code == 0 ? ended.output : QString();
    };
    write("word.txt", word.toUtf8() + "\n");
    write("nothing.txt", "\n");
    QCOMPARE(heard({ "--hotwords", path("nothing.txt") }), heard({}));
    QVERIFY(heard({ "--hotwords", path("word.txt"), "--hotword-weight", "20", "--beam-size", "50" })
                .contains(word));
    const Ended made
        = runEarwright({ "lm", path("word.txt"), "--order", "2", "--out", path("word.bin") });
    QVERIFY2(made.code == 0, qPrintable(made.errors));
    const QString plain = heard({ "--beam-size", "50" });
    const QString led
        = heard({ "--lm", path("word.bin"), "--lm-weight", "4", "--word-bonus", "30" });
    QVERIFY(!plain.isEmpty() && !led.isEmpty());
    QVERIFY(led != plain);
    const Ended few = runEarwright({ "transcribe", m_run, wav, "--device", "cpu", "--lm",
        path("word.bin"), "--lm-weight", "4", "--word-bonus", "30", "--nbest", "90" });
    QVERIFY(few.output.count('\n') < 90);
    QVERIFY2(few.errors.contains("1 of 1 utterances have fewer than 90 texts: "),
        qPrintable(few.errors));
}

/// Its checksums are right: whoever made the bundle made the model too.
void TstTranscribe::damagedLanguageModelOfABundle_isOneError()
{
    const QString run = path("with_lm");
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    write("two.txt", "ONE TWO\nTWO ONE\n");
    QCOMPARE(
        runEarwright({ "lm", path("two.txt"), "--order", "2", "--out", path("two.bin") }).code, 0);
    write("lm.yaml",
        bytesOf(m_data.recipe) + "\ntest_beam_search:\n    beam_size: 5\n    kenlm_model_path: "
            + path("two.bin").toUtf8() + "\n");
    const Ended trained = runEarwright(
        { "train", path("lm.yaml"), "--data_folder=" + path("set"), "--devices", "cpu", "--run-dir",
            run, "--number_of_epochs=0", "--channels=32", "--init_param=" + m_run });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
    QByteArray model = bytesOf(run + "/kenlm_model");
    QCOMPARE(runEarwright({ "transcribe", run, wav, "--device", "cpu" }).code, 0);
    model.replace(QByteArray("ONE\0", 4), QByteArray("OWN\0", 4));
    QVERIFY(model != bytesOf(run + "/kenlm_model"));
    writeFile(run + "/kenlm_model", model);
    QCOMPARE(runEarwright({ "export", run, path("damaged.zip") }).code, 0);
    for (const QString& source : { run, path("damaged.zip") }) {
        const Ended ended = runEarwright({ "transcribe", source, wav, "--device", "cpu" });
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.errors.contains("kenlm_model' is no language model")
                && ended.errors.contains("damaged") && ended.errors.count('\n') == 1,
            qPrintable(ended.errors));
    }
    write("damaged.yaml",
        bytesOf(path("lm.yaml"))
            .replace(path("two.bin").toUtf8(), (run + "/kenlm_model").toUtf8()));
    const Ended checked
        = runEarwright({ "check", path("damaged.yaml"), "--data_folder=" + path("set") });
    QVERIFY2(checked.code != 0
            && (checked.output + checked.errors)
                   .contains("'test_beam_search.kenlm_model_path' names"),
        qPrintable(checked.output + checked.errors));
}

void TstTranscribe::whatCannotBeDone_isSaid_data()
{
    addRefusalColumns();
    const QString wav = m_run.isEmpty() ? QString() : readRows(path("set/test.csv")).at(1)[2];
    write("letters.txt", "æ\n");
    write("gbk.txt", "ONE\n\xd6\xd0\xb9\xfa\n");
    const auto transcribe = [&](const QStringList& more) {
        return QStringList { "transcribe", m_run, wav } + more;
    };
    row("no audio", { "transcribe", m_run }, 2, "name a run");
    row("no such run", { "transcribe", "none", wav }, 1, "no run 'none'");
    if (!m_run.isEmpty())
        QCOMPARE(runEarwright({ "plan", m_data.recipe, "--data_folder=" + path("set"), "--devices",
                                  "cpu", "--run-dir", path("planned") })
                     .code,
            0);
    row("no checkpoint", { "transcribe", path("planned"), wav }, 1, "has no complete checkpoint\n");
    row("no such audio", { "transcribe", m_run, path("none.wav") }, 1, "none.wav");
    for (const auto& [name, options, code, said] : kRefusedOptions)
        row(name, transcribe(QString(options).split(' ')), code, said);
    row("hotword", transcribe({ "--hotwords", path("letters.txt") }), 1, "has the letter 'æ'");
    row("long name", { "transcribe", m_run, QString(300, 'x') }, 3, "File name too long");
    row("model", transcribe({ "--lm", path("letters.txt") }), 1, "is no language model");
    row("no model", transcribe({ "--lm", path("none.arpa") }), 1, "none.arpa");
    row("list in GBK", transcribe({ "--hotwords", path("gbk.txt") }), 1, "gbk.txt:2: ");
    row("no list to count", transcribe({ "--count-hotwords", path("none.txt") }), 1, "none.txt");
    row("empty folder", { "transcribe", m_run, m_run + "/logs" }, 1, "has no sound in it");
    QCOMPARE(::mkfifo(qPrintable(path("pipe.wav")), 0600), 0);
    const char* const wanted = "pipe.wav', which is neither a file nor a folder: write";
    row("sounds of a pipe", { "transcribe", m_run, path("pipe.wav") }, 1, wanted);
    row("a pipe for a run", { "transcribe", path("pipe.wav"), wav }, 1, "no run '");
    row("points of a pipe", { "runs", path("pipe.wav") }, 1, "no run '");
    const auto listed = [&](const char* name, const QByteArray& text) {
        write(name, text);
        return QStringList { "transcribe", m_run, path(name) };
    };
    row("no rows", listed("header.csv", "ID,wav\n"), 1, "header.csv' lists no utterance");
    row("no members", listed("none.json", "{}"), 1, "none.json' lists no utterance");
    row("columns", listed("lower.csv", "id,wav\na,a.wav\n"), 1,
        "line 1: no column 'ID'; there are: id, wav\n");
    row("fields", listed("fields.csv", "ID,wav\na,a.wav,ONE\n"), 1,
        "line 2: 3 fields where the header has 2;");
    row("Kaldi's list", listed("wav.scp", "a a.wav\n"), 1,
        "`earwright prepare kaldi` makes a manifest");
    row("WeNet's list", listed("data.list", "{}\n"), 1,
        "`earwright prepare json` makes a manifest");
    row("one manifest twice", listed("twice.csv", "ID,wav\na,a.wav\n") << path("./twice.csv"), 1,
        "./twice.csv' is named twice, also as '");
    row("alignments in a pipe",
        { "transcribe", m_run, path("set/test.csv"), "--alignments", path("pipe.wav") }, 1,
        "--alignments is '");
    row("alignments", transcribe({ "--alignments", path("a.txt") }), 1, "with transcripts");
}

void TstTranscribe::whatCannotBeDone_isSaid()
{
    verifyRefusal();
    QVERIFY(!QFile::exists(path("x")));
}

EARWRIGHT_TEST(TstTranscribe)
#include "tst_transcribe.moc"
