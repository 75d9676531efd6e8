#include "core/data/sound_list.h"

#include "core/data/audio.h"
#include "tests/data/audio_fixture.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace earwright;
using namespace earwright::tests;

namespace {

constexpr int kRate = 8000;

} // namespace

class TstSoundList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void soundList_readsItsPaths();
    void brokenSoundList_isAnErrorWithItsLine_data();
    void brokenSoundList_isAnErrorWithItsLine();
    void partOfASound_isThatOfTheWhole_data();
    void partOfASound_isThatOfTheWhole();

private:
    std::string path(const QString& name) const { return m_folder.filePath(name).toStdString(); }
    std::string manifest(const std::string& rows) const
    {
        writeFile(m_folder.filePath("list.csv"), QByteArray::fromStdString(rows));
        return path("list.csv");
    }

    QTemporaryDir m_folder;
};

void TstSoundList::initTestCase()
{
    std::mt19937 random(3);
    std::normal_distribution<float> noise(0, 0.1F);
    std::vector<float> sound(5000);
    for (float& sample : sound)
        sample = noise(random);
    writeSound(path("sound.wav"), sound, { .sampleRateHz = kRate });
    writeSound(path("stereo.wav"), sound, { .sampleRateHz = kRate, .channels = 2 });
    writeSound(path("sound.flac"), sound,
        { .sampleRateHz = kRate, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 });
    writeFile(m_folder.filePath("broken.wav"), "RIFF of nothing");
}

void TstSoundList::soundList_readsItsPaths()
{
    const auto list
        = data::SoundList::read(manifest("ID,wav\n1,$data_root/sound.wav\n2,$data/sound.wav\n"),
            { { "data", path(".") }, { "data_root", path("") } });
    QVERIFY2(list, list ? "" : list.error().message.c_str());
    QCOMPARE(list->size(), 2);
    QCOMPARE(list->path(0), path("") + "/sound.wav");
    QCOMPARE(list->path(1), path(".") + "/sound.wav");
}

void TstSoundList::brokenSoundList_isAnErrorWithItsLine_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("words");
    QTest::newRow("no column") << std::string("ID,file\n1,a\n") << std::string("line 1: no column");
    QTest::newRow("no path") << std::string("ID,wav\n1,a\n2,\n")
                             << std::string("line 3: no path in 'wav'");
    QTest::newRow("no sound") << std::string("ID,wav\n1,/nowhere/a.wav\n")
                              << std::string("line 2: there is no file '/nowhere/a.wav'");
    QTest::newRow("unreadable") << "ID,wav\n1," + path("sound.wav") + "\n2," + path("broken.wav")
            + "\n" << std::string("line 3: cannot read audio");
    QTest::newRow("no row") << std::string("ID,wav\n") << std::string("lists no sound");
}

void TstSoundList::brokenSoundList_isAnErrorWithItsLine()
{
    QFETCH(std::string, text);
    QFETCH(std::string, words);
    const auto list = data::SoundList::read(manifest(text), {});
    QVERIFY(!list);
    QVERIFY2(list.error().message.find(words) != std::string::npos, list.error().message.c_str());
}

void TstSoundList::partOfASound_isThatOfTheWhole_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("rateHz");
    QTest::newRow("wav") << "stereo.wav" << kRate;
    QTest::newRow("flac") << "sound.flac" << kRate;
    QTest::newRow("resampled") << "sound.flac" << 2 * kRate;
}

void TstSoundList::partOfASound_isThatOfTheWhole()
{
    QFETCH(QString, name);
    QFETCH(int, rateHz);
    const std::string file = path(name);
    const auto whole = data::readAudio(file, rateHz);
    QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
    const auto& samples = whole->samples;
    for (const auto& [first, count] :
        { std::pair<int64_t, int64_t> { 0, 10 }, { 777, 1500 }, { 4990, 100 }, { 90000, 10 } }) {
        const auto from = samples.begin() + std::min(first, std::ssize(samples));
        const auto to = samples.begin() + std::min(first + count, std::ssize(samples));
        const std::vector<float> expected(from, to);
        const auto read = data::readAudioPart(file, rateHz, first, count);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->has_value(), rateHz == kRate);
        QVERIFY(!*read || **read == expected);
        data::AudioCache nothing(0);
        QVERIFY(*nothing.part(file, rateHz, first, count) == expected);
        QCOMPARE(nothing.bytes(), size_t { 0 });
        data::AudioCache all;
        QVERIFY(*all.part(file, rateHz, first, count) == expected);
        QCOMPARE(all.bytes(), samples.size() * sizeof(float));
    }
}

EARWRIGHT_TEST(TstSoundList)
#include "tst_sound_list.moc"
