#include <QTemporaryDir>

#include "tests/engine/program.h"
#include "tests/engine/speech.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <limits>

using namespace earwright::tests;

namespace {

/// The bytes of a sound file of 1.2 s in which the sample in the middle is `middle`.
QByteArray soundWith(float middle, int format)
{
    const QTemporaryDir folder;
    Wave wave { std::vector<float>(9600), { 0, 8000, 1, format, 0, 0 } };
    for (size_t i = 0; i < wave.samples.size(); ++i)
        wave.samples[i] = static_cast<float>(i * 2654435761U % 1000) / 1000.0F - 0.5F;
    wave.samples[4800] = middle;
    writeWave(folder.filePath("x"), wave);
    return bytesOf(folder.filePath("x"));
}

QByteArray withZerosInTheMiddle(QByteArray bytes)
{
    return bytes.replace(bytes.size() / 2, 200, QByteArray(200, '\0'));
}

} // namespace

/// A run on bad data ends soon, with a message that names the utterance or the file, and loses
/// nothing.
class TstBadInput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void badUtterance_endsWithItsName_data();
    void badUtterance_endsWithItsName();
    void utteranceTooShort_isNamedAndTrainingGoesOn();
    void fullDisk_namesTheCheckpointAndLeavesNoPart();

private:
    Ended train(const QString& run, const QString& data, const QStringList& more = {}) const;

    QTemporaryDir m_folder;
    RealData m_data;
    std::vector<QStringList> m_rows;
};

void TstBadInput::initTestCase()
{
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
    m_rows = smallSet(m_data.folder, 24);
}

Ended TstBadInput::train(const QString& run, const QString& data, const QStringList& more) const
{
    return runEarwright(QStringList { "train", m_data.recipe, "--data_folder=" + data, "--devices",
                            "cpu:2", "--number_of_epochs=2", "--run-dir", run }
        + more);
}

void TstBadInput::badUtterance_endsWithItsName_data()
{
    QTest::addColumn<QByteArray>("bytes"); // of the audio file; null = there is none
    QTest::newRow("missing file") << QByteArray();
    QTest::newRow("empty file") << QByteArray("");
    QTest::newRow("no audio at all") << QByteArray(5000, 'x');
    QTest::newRow("header only") << QByteArray(
        "RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\0\0\0\0",
        44);
    const int floats = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
    QTest::newRow("NaN inside") << soundWith(std::numeric_limits<float>::quiet_NaN(), floats);
    QTest::newRow("absurd sample inside") << soundWith(1e30F, floats);
    QTest::newRow("damaged Vorbis")
        << withZerosInTheMiddle(soundWith(0, SF_FORMAT_OGG | SF_FORMAT_VORBIS));
    QTest::newRow("damaged Opus") << withZerosInTheMiddle(
        soundWith(0, SF_FORMAT_OGG | SF_FORMAT_OPUS));
    QTest::newRow("damaged FLAC") << withZerosInTheMiddle(
        soundWith(0, SF_FORMAT_FLAC | SF_FORMAT_PCM_16));
    QByteArray kHz = soundWith(0, SF_FORMAT_WAV | SF_FORMAT_PCM_16);
    QTest::newRow("rate in kHz") << kHz.replace(24, 4, QByteArray("\x08\0\0\0", 4));
}

void TstBadInput::badUtterance_endsWithItsName()
{
    QFETCH(QByteArray, bytes);
    const QString folder = m_folder.filePath(QTest::currentDataTag());
    QVERIFY(QDir().mkpath(folder));
    std::vector<QStringList> rows = m_rows;
    rows[5][0] = "the-bad-one";
    rows[5][2] = folder + "/bad.wav";
    if (!bytes.isNull())
        writeFile(rows[5][2], bytes);
    writeSet(folder, rows);
    const QString run = m_folder.filePath(QString("run ") + QTest::currentDataTag());
    const Ended ended = train(run, folder);
    QVERIFY2(ended.code == 1 || ended.code == 3, qPrintable(ended.errors));
    QVERIFY2((ended.errors + ended.output).contains("the-bad-one"),
        qPrintable(ended.errors + ended.output));
    QVERIFY2(
        (ended.errors + ended.output).contains("bad.wav"), qPrintable(ended.errors + ended.output));
    QVERIFY(!QFile::exists(run + "/checkpoints/last") && !ended.errors.contains("it/s"));
}

void TstBadInput::utteranceTooShort_isNamedAndTrainingGoesOn()
{
    std::vector<QStringList> rows = m_rows;
    rows[5][0] = "the-short-one";
    QStringList words;
    for (int i = 0; i < 200; ++i)
        words.append(rows[5].last());
    rows[5].last() = words.join(' ');
    const QString folder = m_folder.filePath("short");
    writeSet(folder, rows);
    const Ended ended = train(m_folder.filePath("run short"), folder);
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.errors.contains("the-short-one") && ended.errors.contains("too short"),
        qPrintable(ended.errors));
}

void TstBadInput::fullDisk_namesTheCheckpointAndLeavesNoPart()
{
    const QString folder = m_folder.filePath("whole");
    writeSet(folder, m_rows);
    // No file may pass 1 MiB: smaller than a checkpoint.
    const QString run = m_folder.filePath("run full disk");
    QProcess limited;
    limited.start("bash",
        { "-c", "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\"", earwrightProgram(), "train",
            m_data.recipe, "--data_folder=" + folder, "--devices", "cpu:2", "--number_of_epochs=1",
            "--run-dir", run });
    QVERIFY(limited.waitForFinished(120000));
    const QString errors
        = QString::fromUtf8(limited.readAllStandardError() + limited.readAllStandardOutput());
    QCOMPARE(limited.exitCode(), 3);
    QVERIFY2(errors.contains("was not saved") && errors.contains("checkpoints/step-"),
        qPrintable(errors));
    QVERIFY(QDir(run + "/checkpoints").entryList({ "step-*" }).isEmpty());
}

EARWRIGHT_TEST(TstBadInput)
#include "tst_bad_input.moc"
