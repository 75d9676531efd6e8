#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/audio.h"
#include "core/data/mp3.h"

#include <QTest>

using namespace earwright;
using namespace earwright::tests;

/// The clips of Common Voice are MP3.
class TstMp3 : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void mp3_isReadByItsHeader();
    void mp3WithoutLength_isCounted_data();
    void mp3WithoutLength_isCounted();
    void noFrames_areNotCounted();

private:
    /// Of a constant bit rate.
    static bool mp3(const std::filesystem::path& path, int rateHz)
    {
        SF_INFO info { 0, rateHz, 1, SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 0, 0 };
        SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
        if (file == nullptr)
            return false;
        int mode = SF_BITRATE_MODE_CONSTANT;
        sf_command(file, SFC_SET_BITRATE_MODE, &mode, sizeof mode);
        const std::vector<float> samples = sine(30000, 300, rateHz);
        const bool isWhole = sf_write_float(file, samples.data(), std::ssize(samples)) == 30000;
        return sf_close(file) == 0 && isWhole;
    }
    /// Without the frame that tells the length: up to the next one's beginning.
    static std::string withoutFirstFrame(const std::string& bytes)
    {
        return bytes.substr(bytes.find(bytes.substr(0, 2), 4));
    }
};

void TstMp3::initTestCase()
{
    SF_FORMAT_INFO info { SF_FORMAT_MPEG, nullptr, nullptr };
    if (sf_command(nullptr, SFC_GET_FORMAT_INFO, &info, sizeof info) != 0)
        QSKIP("this libsndfile is older than 1.1 and knows no MP3");
}

void TstMp3::mp3_isReadByItsHeader()
{
    QVERIFY(sound(path("clip.mp3"), SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III));
    const auto read = data::readAudioInfo(path("clip.mp3"));
    QVERIFY2(read, why(read));
    QCOMPARE(read->sampleRateHz, kRateHz);
    const double seconds = static_cast<double>(read->frames) / kRateHz;
    QVERIFY2(seconds >= 0.5 && seconds < 0.8, std::to_string(seconds).c_str()); // an encoder pads
    QVERIFY(!data::countedMp3Samples(path("clip.mp3")));
}

void TstMp3::mp3WithoutLength_isCounted_data()
{
    QTest::addColumn<int>("rateHz");
    for (const int rateHz : { 16000, 22050, 32000, 44100, 48000 })
        QTest::addRow("%d", rateHz) << rateHz;
}

void TstMp3::mp3WithoutLength_isCounted()
{
    QFETCH(int, rateHz);
    QVERIFY(mp3(path("whole.mp3"), rateHz));
    const std::string frames = withoutFirstFrame(*readFile(path("whole.mp3")));
    const std::string tag = std::string("ID3\4\0\0\0\0\1\x48", 10) + std::string(200, '\0');
    for (const std::string& bytes : { frames, tag + frames, tag + frames + "TAG" + frames }) {
        QVERIFY(text(path("clip.mp3"), bytes));
        const auto probed = data::probeAudio(path("clip.mp3"));
        QVERIFY2(probed, why(probed));
        const auto read = data::readAudio(path("clip.mp3"), 0);
        QVERIFY2(read, why(read));
        QCOMPARE(std::ssize(read->samples), probed->frames);
        QVERIFY2(read->samples.size() >= 30000 && read->samples.size() < 34000,
            std::to_string(read->samples.size()).c_str());
    }
}

void TstMp3::noFrames_areNotCounted()
{
    for (const std::string& bytes : { std::string(), std::string("ID3"), std::string(100, '\xff'),
             std::string("\xff\xfb\x90\x64", 4) + std::string(500, 'x') }) {
        QVERIFY(text(path("none.mp3"), bytes));
        QVERIFY(!data::countedMp3Samples(path("none.mp3")));
    }
    QVERIFY(!data::countedMp3Samples(path("gone.mp3")));
}

EARWRIGHT_TEST(TstMp3)
#include "tst_mp3.moc"
