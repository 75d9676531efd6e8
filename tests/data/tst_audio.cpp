#include "audio_fixture.h"

#include "core/base/file.h"
#include "core/data/audio.h"
#include "core/data/audio_cache.h"
#include "tests/registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace earwright;
using tests::sine;
using tests::writeSound;

class TstAudio : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::filesystem::path path(const char* name) const
    {
        return std::filesystem::path(m_dir.path().toStdString()) / name;
    }

    static void compare(
        const std::vector<float>& actual, const std::vector<float>& expected, float tolerance)
    {
        QCOMPARE(actual.size(), expected.size());
        for (size_t i = 0; i < actual.size(); ++i)
            QVERIFY2(
                std::abs(actual[i] - expected[i]) <= tolerance, qPrintable(QString::number(i)));
    }

private Q_SLOTS:
    void wav16Bit_givesItsSamples()
    {
        const std::vector<float> samples = sine(1600, 440, 16000);
        QVERIFY(writeSound(path("a.wav"), samples));
        const auto audio = data::readAudio(path("a.wav"), 16000);
        QVERIFY2(audio, audio ? "" : audio.error().message.c_str());
        QCOMPARE(audio->sampleRateHz, 16000);
        compare(audio->samples, samples, 1.0F / 32767);
    }

    void flacWithWastedBits_givesItsSamples()
    {
        std::vector<float> samples = sine(4000, 300, 16000);
        for (float& sample : samples)
            sample = std::round(sample * 1024) / 1024; // 16-bit values whose low five bits are zero
        QVERIFY(
            writeSound(path("w.flac"), samples, { .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
        const auto audio = data::readAudio(path("w.flac"), 0);
        QVERIFY2(audio, audio ? "" : audio.error().message.c_str());
        compare(audio->samples, samples, 1.0F / 32767);
    }

    void stereo44kHzInChineseFolder_isAveragedAndResampled()
    {
        const QString folder = m_dir.path() + "/语音 数据";
        QVERIFY(QDir().mkpath(folder));
        const std::filesystem::path file = (folder + "/立体 声.wav").toStdString();
        const std::vector<float> tone = sine(44100, 440, 44100);
        std::vector<float> both;
        for (const float sample : tone) {
            both.push_back(1.5F * sample);
            both.push_back(0.5F * sample);
        }
        QVERIFY(writeSound(file, both, { .sampleRateHz = 44100, .channels = 2 }));
        const auto audio = data::readAudio(file, 16000);
        QVERIFY2(audio, audio ? "" : audio.error().message.c_str());
        QCOMPARE(audio->sampleRateHz, 16000);
        const std::vector<float> expected = sine(16000, 440, 16000);
        QCOMPARE(audio->samples.size(), expected.size());
        for (size_t i = 100; i + 100 < expected.size(); ++i)
            QVERIFY(std::abs(audio->samples[i] - expected[i]) < 2e-3F);
    }

    void badFile_isNamedWithTheReason_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        QTest::newRow("empty") << "empty.wav" << QByteArray() << "the file is empty (0 bytes)";
        QTest::newRow("text") << "text.wav" << QByteArray("this is no audio")
                              << "is it a WAV or FLAC file?";
        QTest::newRow("cut header")
            << "head.flac" << QByteArray("fLaC\0\0\0\x22\x10", 9) << "is it a WAV or FLAC file?";
    }

    void badFile_isNamedWithTheReason()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        const std::filesystem::path file = path(qPrintable(name));
        QVERIFY(writeFileAtomically(file, bytes.toStdString()));
        for (const Error& error :
            { data::readAudio(file, 16000).error(), data::readAudioInfo(file).error() }) {
            const QString message = QString::fromStdString(error.message);
            QVERIFY2(message.contains(reason), qPrintable(message));
            QVERIFY2(message.contains(QString::fromStdString(file.string())), qPrintable(message));
        }
    }

    void missingFile_isNamed()
    {
        const auto audio = data::readAudio(path("nowhere.wav"), 0);
        QVERIFY(!audio);
        QCOMPARE(audio.error().message,
            "cannot read audio '" + path("nowhere.wav").string() + "': no such file");
    }

    void noSamples_isAnError()
    {
        QVERIFY(writeSound(path("none.wav"), {}));
        QVERIFY(!data::readAudio(path("none.wav"), 0));
        QVERIFY(data::readAudio(path("none.wav"), 0).error().message.find("holds no samples")
            != std::string::npos);
    }

    void fileCutInTheMiddle_isAnError_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("format");
        QTest::newRow("flac") << "cut.flac" << (SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
        QTest::newRow("wav") << "cut.wav" << (SF_FORMAT_WAV | SF_FORMAT_PCM_16);
        QTest::newRow("wav, 24 bits") << "cut24.wav" << (SF_FORMAT_WAV | SF_FORMAT_PCM_24);
    }

    void fileCutInTheMiddle_isAnError()
    {
        QFETCH(QString, name);
        QFETCH(int, format);
        const std::filesystem::path file = path(qPrintable(name));
        std::vector<float> samples = sine(16000, 300, 16000);
        for (size_t i = 0; i < samples.size(); ++i)
            samples[i]
                *= static_cast<float>((i * 2654435761U % 1000)) / 1000.0F; // hard to compress
        QVERIFY(writeSound(file, samples, { .format = format }));
        QVERIFY(data::probeAudio(file));
        std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
        QVERIFY(!data::readAudio(file, 0));
        QVERIFY(!data::probeAudio(file));
        for (const Error& error :
            { data::readAudio(file, 0).error(), data::probeAudio(file).error() })
            QVERIFY2(error.message.find("cut short") != std::string::npos, error.message.c_str());
    }

    void flacOf24BitsAndTwoChannels_givesTheirMean()
    {
        const std::vector<float> both { 0.5F, 0.25F, -0.5F, 0.5F, 1.0F / (1 << 23), 0.0F };
        QVERIFY(writeSound(path("two.flac"), both,
            { .channels = 2, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_24 }));
        const auto audio = data::readAudio(path("two.flac"), 0);
        QVERIFY2(audio, audio ? "" : audio.error().message.c_str());
        QCOMPARE(audio->samples, (std::vector<float> { 0.375F, 0.0F, 1.0F / (1 << 24) }));
    }

    /// Two decoders read FLAC, by the file's name: both take what they find, bit for bit alike.
    void wrongEndings_changeNothing()
    {
        const std::vector<float> samples = sine(5000, 300, 16000);
        const auto readAs = [&](const char* name, int format) {
            return writeSound(path(name), samples, { .format = format | SF_FORMAT_PCM_16 })
                ? data::readAudio(path(name), 0)
                : Result<data::Audio>(Error { "not written" });
        };
        const auto wav = readAs("right.wav", SF_FORMAT_WAV);
        QVERIFY(wav);
        for (const auto& other : { readAs("right.flac", SF_FORMAT_FLAC),
                 readAs("a wav.flac", SF_FORMAT_WAV), readAs("a flac.wav", SF_FORMAT_FLAC) }) {
            QVERIFY2(other, other ? "" : other.error().message.c_str());
            QCOMPARE(other->samples, wav->samples);
        }
    }

    void flacWithAWrongByte_isAnError()
    {
        std::vector<float> samples = sine(16000, 300, 16000);
        for (size_t i = 0; i < samples.size(); ++i)
            samples[i] *= static_cast<float>(i * 2654435761U % 1000) / 1000.0F; // many bytes
        QVERIFY(writeSound(
            path("byte.flac"), samples, { .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
        std::string bytes = *readFile(path("byte.flac"));
        bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
        QVERIFY(writeFileAtomically(path("byte.flac"), bytes));
        const auto audio = data::readAudio(path("byte.flac"), 0);
        QVERIFY(!audio);
        QVERIFY2(audio.error().message.find("corrupt") != std::string::npos,
            audio.error().message.c_str());
    }

    void flacThatPromisesDays_takesNoMemoryForThem()
    {
        QVERIFY(writeSound(path("days.flac"), sine(16000, 300, 16000),
            { .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
        std::string bytes = *readFile(path("days.flac"));
        bytes[21] = static_cast<char>(bytes[21] | 0x0F); // 36 bits: samples in all
        bytes.replace(22, 4, "\xff\xff\xff\xff");
        QVERIFY(writeFileAtomically(path("days.flac"), bytes));
        const auto audio = data::readAudio(path("days.flac"), 0); // 256 GiB of samples
        QVERIFY(!audio);
        QVERIFY2(
            audio.error().message.find("after 16000 of 68719476735 samples") != std::string::npos,
            audio.error().message.c_str());
    }

    void headerWithAnOddRate_isAnError_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("format");
        QTest::addColumn<qsizetype>("at"); // in the file's bytes
        QTest::addColumn<QByteArray>("rate");
        QTest::addColumn<QString>("reason");
        const int flac = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
        const int wav = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
        QTest::newRow("flac, none")
            << "rate0.flac" << flac << qsizetype(18) << QByteArray("\0\0\0", 3) << "header";
        QTest::newRow("flac, above all")
            << "rate1.flac" << flac << qsizetype(18) << QByteArray("\xff\xff\xf0", 3) << "header";
        QTest::newRow("wav") << "rate.wav" << wav << qsizetype(24)
                             << QByteArray("\x65\x93\x35\x77", 4)
                             << "its header says 1999999845 Hz";
    }

    void headerWithAnOddRate_isAnError()
    {
        QFETCH(QString, name);
        QFETCH(int, format);
        QFETCH(qsizetype, at);
        QFETCH(QByteArray, rate);
        QFETCH(QString, reason);
        const std::filesystem::path file = path(qPrintable(name));
        QVERIFY(writeSound(file, sine(1600, 300, 16000), { .format = format }));
        QByteArray bytes = QByteArray::fromStdString(*readFile(file));
        const char below = static_cast<char>(bytes[at + 2] & 0x0F); // of FLAC's rate of 20 bits
        bytes.replace(at, rate.size(), rate);
        if (name.endsWith(".flac"))
            bytes[at + 2] = static_cast<char>(bytes[at + 2] | below);
        QVERIFY(writeFileAtomically(file, bytes.toStdString()));
        const auto audio = data::readAudio(file, 8000);
        const auto info = data::readAudioInfo(file);
        QVERIFY(!audio && !info);
        for (const Error& error : { audio.error(), info.error() })
            QVERIFY2(QString::fromStdString(error.message).contains(reason)
                    && error.message.find(file.string()) != std::string::npos,
                error.message.c_str());
    }

    void wavOfAPipe_isReadToItsEnd()
    {
        QVERIFY(writeSound(path("pipe.wav"), sine(800, 300, 16000)));
        std::string bytes = *readFile(path("pipe.wav"));
        const size_t data = bytes.find("data");
        for (const size_t at : { size_t(4), data + 4 })
            bytes.replace(at, 4, "\xff\xff\xff\xff");
        QVERIFY(writeFileAtomically(path("pipe.wav"), bytes));
        const auto audio = data::readAudio(path("pipe.wav"), 0);
        QVERIFY2(audio, audio ? "" : audio.error().message.c_str());
        QCOMPARE(audio->samples.size(), size_t(800));
    }

    void nanSample_isAnError()
    {
        std::vector<float> samples = sine(100, 300, 16000);
        samples[50] = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(
            writeSound(path("nan.wav"), samples, { .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT }));
        const auto audio = data::readAudio(path("nan.wav"), 0);
        QVERIFY(!audio);
        QVERIFY(audio.error().message.find("NaN") != std::string::npos);
    }

    void cache_keepsUpToItsLimitAndKnowsLengths()
    {
        QVERIFY(writeSound(path("c1.wav"), sine(1000, 300, 8000), { .sampleRateHz = 8000 }));
        QVERIFY(writeSound(path("c2.wav"), sine(1000, 300, 8000), { .sampleRateHz = 8000 }));
        data::AudioCache cache(2000 * sizeof(float));
        QCOMPARE(*cache.length(path("c1.wav"), 16000), 2000);
        const auto first = cache.samples(path("c1.wav"), 16000);
        const auto other = cache.samples(path("c2.wav"), 16000);
        QVERIFY(first && other);
        QCOMPARE((*first)->size(), size_t(2000));
        QCOMPARE(cache.bytes(), 2000 * sizeof(float));
        std::filesystem::remove(path("c1.wav"));
        QCOMPARE((*cache.samples(path("c1.wav"), 16000)).get(), first->get());
        std::filesystem::remove(path("c2.wav"));
        QVERIFY(!cache.samples(path("c2.wav"), 16000));
        QCOMPARE(*cache.length(path("c2.wav"), 16000), 2000);
    }
};

EARWRIGHT_TEST(TstAudio)
#include "tst_audio.moc"
