#include "audio_fixture.h"

#include "core/base/file.h"
#include "core/data/probe.h"
#include "core/data/proven_sounds.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace earwright;
using data::ProvenSounds;

/// Sounds that are decoded whole, once.
class TstProvenSounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void soundFile_isRemembered();
    void damagedFile_isNotRemembered();
    void knownSum_isNotDecodedAgain();
    void fileAsItWas_isNotReadAgain();
    void plainSamples_needNoReading();
    void tornCache_isReadAsFarAsItGoes();
    void formerCache_isReadToo();
    void codecThatCannotSeek_isRemembered();
    void folderThatCannotBeWritten_isNoError();
    void probeAll_findsWhatLiesInTheMiddle();

private:
    std::filesystem::path path(const char* name) const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / name;
    }
    std::filesystem::path cache() const { return path("cache/earwright/sounds-1"); }
    std::filesystem::path vorbis(const char* name) const
    {
        if (!tests::writeSound(
                path(name), tests::noise(48000), { .format = SF_FORMAT_OGG | SF_FORMAT_VORBIS }))
            qFatal("no sound");
        return path(name);
    }
    static bool isProven(const std::filesystem::path& file)
    {
        return bool(ProvenSounds().prove(file.string()));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TstProvenSounds::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(path("cache").string()));
}

void TstProvenSounds::soundFile_isRemembered()
{
    const std::filesystem::path file = vorbis("a.ogg");
    QVERIFY(isProven(file));
    const std::string lines = *readFile(cache());
    QVERIFY(lines.starts_with(*sha256HexOfFile(file) + " "));
    QVERIFY(lines.ends_with(" " + file.string() + "\n"));
    QVERIFY(isProven(file));
    QCOMPARE(*readFile(cache()), lines);
}

void TstProvenSounds::damagedFile_isNotRemembered()
{
    const std::filesystem::path file = vorbis("a.ogg");
    QVERIFY(isProven(file));
    const std::string lines = *readFile(cache());
    QVERIFY(tests::damage(file));
    QVERIFY(!isProven(file));
    QVERIFY(!isProven(file));
    QCOMPARE(*readFile(cache()), lines);
}

/// As of a copy: seen by a damaged one, of which the cache says that it is sound.
void TstProvenSounds::knownSum_isNotDecodedAgain()
{
    const std::filesystem::path file = vorbis("a.ogg");
    QVERIFY(tests::damage(file));
    std::filesystem::create_directories(cache().parent_path());
    QVERIFY(writeFileAtomically(cache(), *sha256HexOfFile(file) + " 1 1 /elsewhere\n"));
    QVERIFY(isProven(file));
}

/// Seen by a damaged one, which the cache says was so when it was sound.
void TstProvenSounds::fileAsItWas_isNotReadAgain()
{
    const std::filesystem::path file = vorbis("a.ogg");
    QVERIFY(tests::damage(file));
    struct stat facts { };
    QCOMPARE(::stat(file.c_str(), &facts), 0);
    const auto lineOf = [&](long long bytes) {
        const auto changed = facts.st_ctim.tv_sec * 1'000'000'000LL + facts.st_ctim.tv_nsec;
        return std::string(64, '0') + " " + std::to_string(bytes) + " " + std::to_string(changed)
            + " " + file.string() + "\n";
    };
    std::filesystem::create_directories(cache().parent_path());
    QVERIFY(writeFileAtomically(cache(), lineOf(facts.st_size + 1)));
    QVERIFY(!isProven(file));
    QVERIFY(writeFileAtomically(cache(), lineOf(facts.st_size)));
    QVERIFY(isProven(file));
    QVERIFY(tests::damage(file));
    QVERIFY(!isProven(file)); // its time of change is another
}

void TstProvenSounds::plainSamples_needNoReading()
{
    QVERIFY(tests::writeSound(path("a.wav"), tests::noise(1000)));
    QVERIFY(isProven(path("a.wav")));
    QVERIFY(!isFile(cache()));
}

void TstProvenSounds::tornCache_isReadAsFarAsItGoes()
{
    const std::filesystem::path file = vorbis("a.ogg");
    QVERIFY(tests::damage(file));
    std::filesystem::create_directories(cache().parent_path());
    const std::string sum = *sha256HexOfFile(file);
    QVERIFY(writeFileAtomically(cache(), "abc\n\n" + sum.substr(0, 40) + "\n" + sum + " 1"));
    QVERIFY(!isProven(file));
    QVERIFY(writeFileAtomically(cache(), "abc 1 x y\n" + sum + " 1 1 /elsewhere\nabc"));
    QVERIFY(isProven(file));
}

/// What the cache was before it had grown too large.
void TstProvenSounds::formerCache_isReadToo()
{
    const std::filesystem::path file = vorbis("a.ogg");
    QVERIFY(tests::damage(file));
    std::filesystem::create_directories(cache().parent_path());
    QVERIFY(writeFileAtomically(
        cache().string() + ".former", *sha256HexOfFile(file) + " 1 1 /elsewhere\n"));
    QVERIFY(isProven(file));
}

void TstProvenSounds::codecThatCannotSeek_isRemembered()
{
    QVERIFY(tests::writeSound(
        path("a.wav"), tests::noise(48000), { .format = SF_FORMAT_WAV | SF_FORMAT_GSM610 }));
    QVERIFY(isProven(path("a.wav")));
    const std::string lines = *readFile(cache());
    QVERIFY(lines.starts_with(*sha256HexOfFile(path("a.wav")) + " "));
    QVERIFY(isProven(path("a.wav")));
    QCOMPARE(*readFile(cache()), lines);
}

void TstProvenSounds::folderThatCannotBeWritten_isNoError()
{
    QVERIFY(writeFileAtomically(path("cache"), "a file"));
    QVERIFY(isProven(vorbis("a.ogg")));
    qunsetenv("XDG_CACHE_HOME");
    const QByteArray home = qgetenv("HOME");
    qunsetenv("HOME");
    const bool isWithoutHome = isProven(vorbis("b.ogg"));
    qputenv("HOME", home);
    QVERIFY(isWithoutHome);
}

void TstProvenSounds::probeAll_findsWhatLiesInTheMiddle()
{
    std::vector<float> loud = tests::noise(9600);
    loud[4000] = 1e30F;
    QVERIFY(
        tests::writeSound(path("loud.wav"), loud, { .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT }));
    const std::filesystem::path damaged = vorbis("damaged.ogg");
    QVERIFY(tests::damage(damaged));
    const auto infos = data::Prober().probe(
        { path("loud.wav").string(), damaged.string(), vorbis("whole.ogg").string() });
    QVERIFY(!*infos[0] && !*infos[1] && *infos[2]);
    QVERIFY(infos[0]->error().message.find("1e+30 at 0.250 s") != std::string::npos);
    QVERIFY(infos[1]->error().message.find("corrupt after") != std::string::npos);
}

EARWRIGHT_TEST(TstProvenSounds)
#include "tst_proven_sounds.moc"
