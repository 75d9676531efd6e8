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

    void part_givesItsSamples_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("format");
        QTest::newRow("found anywhere") << "p.flac" << (SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
        QTest::newRow("decoded from the beginning on")
            << "p.wav" << (SF_FORMAT_WAV | SF_FORMAT_GSM610);
    }

    void part_givesItsSamples()
    {
        QFETCH(QString, name);
        QFETCH(int, format);
        const std::filesystem::path file = path(qPrintable(name));
        QVERIFY(writeSound(file, sine(16000, 440, 16000), { .format = format }));
        const auto whole = data::readAudio(file, 16000);
        QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
        const data::SoundPart seconds { .begin = 0.25, .end = 0.75 };
        const data::SoundPart samples { .begin = 4000, .end = 12000, .countsSamples = true };
        const data::SoundPart duration { .begin = 0.25, .seconds = 0.5 };
        const std::vector<float> expected(
            whole->samples.begin() + 4000, whole->samples.begin() + 12000);
        for (const data::SoundPart& part : { seconds, samples, duration }) {
            const auto audio = data::readAudio(file, 16000, part);
            QVERIFY2(audio, audio ? "" : audio.error().message.c_str());
            QVERIFY(audio->samples == expected);
        }
        data::AudioCache cache;
        QCOMPARE(*cache.length(file, 8000, seconds), int64_t(4000));
        QCOMPARE(*cache.length(file, 8000), int64_t(8000) * std::ssize(whole->samples) / 16000);
        QVERIFY(**cache.samples(file, 16000, seconds) == expected);
        QVERIFY(**cache.samples(file, 16000) == whole->samples);
        const auto behind = data::readAudio(file, 16000, { .begin = 9, .end = 10 });
        QVERIFY(!behind);
        QVERIFY(QString::fromStdString(behind.error().message)
                    .contains("it begins at 9.00 s, but the file ends at 1."));
    }

    void channelOfAPart_isItsOwn()
    {
        std::vector<float> both;
        for (int i = 0; i < 100; ++i) {
            both.push_back(0.5F);
            both.push_back(i < 50 ? 0.0F : -0.25F);
        }
        QVERIFY(writeSound(path("c.wav"), both, { .channels = 2 }));
        const auto read = [&](int channel) {
            return data::readAudio(path("c.wav"), 16000,
                { .begin = 40, .end = 60, .countsSamples = true, .channel = channel });
        };
        QCOMPARE(read(0)->samples.at(15), 0.5F);
        QCOMPARE(read(1)->samples.at(5), 0.0F);
        QCOMPARE(read(1)->samples.at(15), -0.25F);
        QCOMPARE(read(-1)->samples.at(15), 0.125F);
        QCOMPARE(read(1)->samples.size(), size_t(20));
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
        const QString words
            = "its header says %1 Hz, recordings have 1000 to 1000000 Hz; correct the header";
        QTest::newRow("wav, kHz") << "khz.wav" << wav << qsizetype(24)
                                  << QByteArray("\x10\0\0\0", 4) << words.arg(16);
        QTest::newRow("wav, 1 Hz")
            << "one.wav" << wav << qsizetype(24) << QByteArray("\x01\0\0\0", 4) << words.arg(1);
        QTest::newRow("flac, kHz")
            << "khz.flac" << flac << qsizetype(18) << QByteArray("\0\x01\0", 3) << words.arg(16);
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

    void sampleOfNoSound_isAnError_data()
    {
        QTest::addColumn<int>("coding");
        QTest::addColumn<double>("sample");
        QTest::addColumn<QString>("reason");
        const QString notFinite = "it holds samples that are NaN or infinite (%1 at 0.500 s)";
        const QString loud
            = "it holds a sample of %1 at 0.500 s, where full scale is 1; scale it to [-1, 1]";
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double infinity = std::numeric_limits<double>::infinity();
        QTest::newRow("NaN") << int(SF_FORMAT_FLOAT) << nan << notFinite.arg("nan");
        QTest::newRow("infinite") << int(SF_FORMAT_FLOAT) << -infinity << notFinite.arg("-inf");
        QTest::newRow("beyond float32") << int(SF_FORMAT_DOUBLE) << 1e300 << notFinite.arg("inf");
        QTest::newRow("absurd") << int(SF_FORMAT_FLOAT) << 1e30 << loud.arg("1e+30");
        QTest::newRow("absurd, of doubles") << int(SF_FORMAT_DOUBLE) << -1e30 << loud.arg("-1e+30");
        QTest::newRow("just too loud") << int(SF_FORMAT_FLOAT) << 10001.0 << loud.arg("1e+04");
    }

    /// In its middle, of the second channel, which a look at the last sample does not find.
    void sampleOfNoSound_isAnError()
    {
        QFETCH(int, coding);
        QFETCH(double, sample);
        QFETCH(QString, reason);
        const std::filesystem::path file = path(QTest::currentDataTag());
        std::vector<double> samples(32000, 0.1);
        samples[16001] = sample;
        SF_INFO info { 0, 16000, 2, SF_FORMAT_WAV | coding, 0, 0 };
        SNDFILE* written = sf_open(file.c_str(), SFM_WRITE, &info);
        QVERIFY(written != nullptr);
        QCOMPARE(sf_write_double(written, samples.data(), std::ssize(samples)), 32000);
        QCOMPARE(sf_close(written), 0);
        QVERIFY(data::probeAudio(file));
        for (const Error& error :
            { data::readAudio(file, 0).error(), data::readThrough(file).error(),
                data::readAudioPart(file, 16000, 7000, 2000).error() })
            QCOMPARE(QString::fromStdString(error.message),
                "cannot read audio '" + QString::fromStdString(file.string()) + "': " + reason);
        QVERIFY(data::readAudioPart(file, 16000, 0, 8000));
    }

    /// Whoever wrote integers of 16 bits as they are: none of these is a model's end.
    void loudSamples_areRead()
    {
        QVERIFY(writeSound(path("loud.wav"), { 9999.0F, -9999.0F, 0.1F },
            { .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT }));
        const auto audio = data::readAudio(path("loud.wav"), 0);
        QVERIFY2(audio, audio ? "" : audio.error().message.c_str());
        QCOMPARE(audio->samples.front(), 9999.0F);
    }

    void codecThatCannotSeek_isReadToItsEnd_data()
    {
        QTest::addColumn<int>("format");
        const auto row = [](const char* name, int format) { QTest::newRow(name) << format; };
        row("gsm", SF_FORMAT_WAV | SF_FORMAT_GSM610);
        row("gsm, aiff", SF_FORMAT_AIFF | SF_FORMAT_GSM610);
        row("gsm, w64", SF_FORMAT_W64 | SF_FORMAT_GSM610);
        row("g721", SF_FORMAT_WAV | SF_FORMAT_G721_32);
        row("g721, au", SF_FORMAT_AU | SF_FORMAT_G721_32);
        row("g723 24, au", SF_FORMAT_AU | SF_FORMAT_G723_24);
        row("g723 40, au", SF_FORMAT_AU | SF_FORMAT_G723_40);
        row("nms 16", SF_FORMAT_WAV | SF_FORMAT_NMS_ADPCM_16);
        row("nms 24", SF_FORMAT_WAV | SF_FORMAT_NMS_ADPCM_24);
        row("nms 32", SF_FORMAT_WAV | SF_FORMAT_NMS_ADPCM_32);
        row("dwvw 16", SF_FORMAT_AIFF | SF_FORMAT_DWVW_16);
        row("dwvw 24", SF_FORMAT_AIFF | SF_FORMAT_DWVW_24);
        row("dpcm 8", SF_FORMAT_XI | SF_FORMAT_DPCM_8);
        row("dpcm 16", SF_FORMAT_XI | SF_FORMAT_DPCM_16);
        row("sds", SF_FORMAT_SDS | SF_FORMAT_PCM_16);
        row("paf", SF_FORMAT_PAF | SF_FORMAT_PCM_24);
        row("adpcm, which can", SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM);
    }

    void codecThatCannotSeek_isReadToItsEnd()
    {
        QFETCH(int, format);
        const std::filesystem::path file = path(QTest::currentDataTag());
        if (!writeSound(file, sine(9600, 300, 8000), { .sampleRateHz = 8000, .format = format }))
            QSKIP("this libsndfile writes no such file");
        const auto audio = data::readAudio(file, 0);
        QVERIFY2(audio, audio ? "" : audio.error().message.c_str());
        const auto probed = data::probeAudio(file);
        QVERIFY2(probed, probed ? "" : probed.error().message.c_str());
        QCOMPARE(probed->frames, std::ssize(audio->samples));
        QVERIFY(probed->frames >= 9600);
        data::AudioCache none(0);
        const auto part = none.part(file.string(), audio->sampleRateHz, 9000, 500);
        QVERIFY2(part, part ? "" : part.error().message.c_str());
        QVERIFY(std::equal(part->begin(), part->end(), audio->samples.begin() + 9000));
    }

    /// libsndfile opens 12-bit DWVW in AIFF, and reads none of it.
    void codingThatIsNotDecoded_isNamed()
    {
        const std::filesystem::path file = path("dwvw12.aif");
        QVERIFY(writeSound(file, sine(4000, 300, 8000),
            { .sampleRateHz = 8000, .format = SF_FORMAT_RAW | SF_FORMAT_DWVW_12 }));
        QByteArray coded = QByteArray::fromStdString(*readFile(file));
        if (coded.size() % 2 != 0)
            coded += '\0';
        const auto chunk = [](const char* name, const QByteArray& content) {
            const auto size = static_cast<quint32>(content.size());
            const auto byte = [&](int shift) { return static_cast<char>(size >> shift); };
            return QByteArray(name) + byte(24) + byte(16) + byte(8) + byte(0) + content;
        };
        // A channel, 4000 frames, 12 bits, 8000 Hz as an extended float.
        const QByteArray common = QByteArray::fromHex("000100000fa0000c400bfa00000000000000")
            + "DWVW" + QByteArray(2, 0);
        const QByteArray aiff = chunk("FORM",
            "AIFC" + chunk("FVER", QByteArray::fromHex("a2805140")) + chunk("COMM", common)
                + chunk("SSND", QByteArray(8, 0) + coded));
        QVERIFY(writeFileAtomically(file, aiff.toStdString()));
        QVERIFY(data::readAudioInfo(file));
        for (const Error& error : { data::readAudio(file, 0).error(),
                 data::probeAudio(file).error(), data::readThrough(file).error() })
            QCOMPARE(error.message,
                "cannot read audio '" + file.string()
                    + "': libsndfile cannot decode its coding, 12 bit DWVW (File contains data in "
                      "an "
                      "unimplemented format); convert it to WAV or FLAC");
    }

    void damageInTheMiddle_isFoundByReadingThrough_data()
    {
        QTest::addColumn<int>("format");
        QTest::newRow("vorbis.ogg") << (SF_FORMAT_OGG | SF_FORMAT_VORBIS);
        QTest::newRow("opus.ogg") << (SF_FORMAT_OGG | SF_FORMAT_OPUS);
        QTest::newRow("mpeg.mp3") << (SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III);
        QTest::newRow("dr.flac") << (SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
        QTest::newRow("flac by another name") << (SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
    }

    void damageInTheMiddle_isFoundByReadingThrough()
    {
        QFETCH(int, format);
        const std::filesystem::path file = path(QTest::currentDataTag());
        if (!writeSound(file, tests::noise(48000), { .format = format }))
            QSKIP("this libsndfile writes no such file");
        const auto whole = data::readThrough(file);
        QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
        QVERIFY(!whole->isPlain);
        QCOMPARE(std::ssize(data::readAudio(file, 0)->samples), whole->frames);
        QVERIFY(tests::damage(file));
        const auto damaged = data::readThrough(file);
        QVERIFY(!damaged);
        QVERIFY2(
            damaged.error().message.find("it is cut short or corrupt after ") != std::string::npos,
            damaged.error().message.c_str());
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
