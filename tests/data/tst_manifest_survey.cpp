#include "core/data/manifest_survey.h"
#include "tests/data/audio_fixture.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::data;

class TstManifestSurvey : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void texts_areCounted()
    {
        const auto manifest = write("train.csv",
            "ID,duration,wav,spk_id,wrd\n"
            "u1,1.0,a.wav,anna,on off\nu2,2.0,b.wav,ben,on off\nu3,3.0,./a.wav,anna,öff on\n");
        const TextEncoder encoder = TextEncoder::fromTexts({ "on off" }, 0);
        const auto survey = surveyManifest(manifest, { .encoder = &encoder });
        QVERIFY2(survey, survey ? "" : survey.error().message.c_str());
        QCOMPARE(survey->seconds, 6.0);
        QCOMPARE(survey->speakers, 2);
        QCOMPARE(survey->rows[0].sameTexts, 2);
        QCOMPARE(survey->rows[2].sameTexts, 1);
        QCOMPARE(survey->rows[0].sameSounds, 2); // './a.wav' is the same file
        QCOMPARE(survey->rows[1].sameSounds, 1);
        QVERIFY(survey->rows[0].strangeWords.empty());
        QVERIFY(survey->rows[2].strangeWords == std::vector<std::string> { "öff" });
        const std::pair<std::string, int64_t> first { "f", 6 };
        QVERIFY(survey->alphabet.front() == first);
        QCOMPARE(survey->alphabet.size(), size_t(4)); // f, n, o, ö
        QCOMPARE(survey->rows[0].silence, -1.0);
    }

    void otherManifest_sharesRows()
    {
        const auto train = write("train.csv",
            "ID,duration,wav,spk_id,wrd\nu1,1,a.wav,,x\nu2,1,b.wav,,x\nu3,1,c.wav,,x\n");
        const auto test
            = write("test.csv", "ID,duration,wav,spk_id,wrd\nu1,1,z.wav,,x\nv,1,c.wav,,x\n");
        const auto survey = surveyManifest(train, { .other = test });
        QVERIFY(survey);
        QCOMPARE(survey->inOther, 2);
        QVERIFY(
            survey->rows[0].isInOther && !survey->rows[1].isInOther && survey->rows[2].isInOther);
        QVERIFY(!surveyManifest(train, { .other = "gone.csv" }));
    }

    void sounds_areHeard()
    {
        std::vector<float> half = tests::sine(8000, 440, 8000);
        std::fill(half.begin(), half.begin() + 4000, 0.F);
        std::vector<float> loud(8000, 0.1F);
        std::fill(loud.begin(), loud.begin() + 800, 1.F);
        QVERIFY(tests::writeSound(file("half.wav"), half, { .sampleRateHz = 8000 }));
        QVERIFY(tests::writeSound(file("loud.wav"), loud, { .sampleRateHz = 8000 }));
        const QByteArray folder = m_dir->path().toUtf8();
        const auto manifest = write("train.csv",
            "ID,duration,wav,wrd\nu1,1," + folder + "/half.wav,x\nu2,1," + folder
                + "/loud.wav,y\nu3,1," + folder + "/gone.wav,z\n");
        const auto survey = surveyManifest(manifest, { .readsSounds = true });
        QVERIFY2(survey, survey ? "" : survey.error().message.c_str());
        QCOMPARE(survey->rows[0].silence, 0.5);
        QCOMPARE(survey->rows[0].clipped, 0.0);
        QCOMPARE(survey->rows[1].silence, 0.0);
        QCOMPARE(survey->rows[1].clipped, 0.1);
        QVERIFY(survey->rows[2].problem.find("gone.wav") != std::string::npos);
        QCOMPARE(survey->rows[2].silence, -1.0);
        const auto stopped
            = surveyManifest(manifest, { .readsSounds = true, .goOn = [] { return false; } });
        QCOMPARE(stopped.value().rows[0].silence, -1.0);
    }

    void repeatedId_isRefused()
    {
        const auto manifest
            = write("train.csv", "ID,duration,wav,wrd\nu1,1,a.wav,x\nu1,1,b.wav,y\n");
        const auto survey = surveyManifest(manifest, {});
        QVERIFY(!survey);
        QVERIFY(
            survey.error().message.find("the ID 'u1' is already on line 2") != std::string::npos);
    }

private:
    std::filesystem::path file(const char* name) const
    {
        return m_dir->filePath(QLatin1String(name)).toStdString();
    }
    std::filesystem::path write(const char* name, const QByteArray& bytes) const
    {
        writeFile(m_dir->filePath(QLatin1String(name)), bytes);
        return file(name);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
};

EARWRIGHT_TEST(TstManifestSurvey)
#include "tst_manifest_survey.moc"
