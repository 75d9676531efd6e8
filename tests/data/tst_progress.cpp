#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/prepare/checksums.h"
#include "core/data/prepare/own_list.h"

#include <QTest>

#include <chrono>
#include <optional>

using namespace earwright;
using namespace earwright::tests;

/// How many files a reader tells of, and how many it then reads.
class TstProgress : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_expected.reset(), m_asked = 0; }
    void corpora_tellHowMuchIsToCome_data();
    void corpora_tellHowMuchIsToCome();
    void ownListAndChecksums_tellHowMuchIsToCome();
    void progress_isToldNowAndThen();

private:
    /// A file counts only after it was told of.
    data::GoOn counting()
    {
        return { [this] {
                    m_asked += m_expected ? 1 : 1000;
                    return true;
                },
            [this](size_t numFiles) { m_expected = numFiles; } };
    }
    bool makeCorpora() const
    {
        const std::string header = "client_id\tpath\tsentence\n";
        return makeLibriSpeech("librispeech") && sound(path("aishell1/wav/train/S1/u1.wav"))
            && sound(path("aishell1/wav/dev/S2/u2.wav"))
            && text(path("aishell1/transcript/aishell_transcript_v0.8.txt"), "u1 A\nu9 B\nu8 C\n")
            && text(path("common-voice/train.tsv"), header + "a\ta.wav\tA\na\tb.wav\tB\n")
            && text(path("common-voice/dev.tsv"), header + "a\tc.wav\tA\n")
            && text(path("common-voice/test.tsv"), header)
            && sound(path("fsdd/recordings/0_theo_0.wav"))
            && text(path("kaldi/train/wav.scp"), "u1 a.wav\n")
            && text(path("kaldi/train/text"), "u1 A\nu2 B\n")
            && text(path("kaldi/dev/wav.scp"), "v1 a.wav\n")
            && text(path("kaldi/dev/text"), "v1 A\n")
            && sound(path("speech-commands/yes/a_nohash_0.wav"))
            && sound(path("speech-commands/_background_noise_/hum.wav"))
            && text(path("speech-commands/testing_list.txt"), "yes/gone.wav\n")
            && text(path("speech-commands/validation_list.txt"), "");
    }

    std::optional<size_t> m_expected;
    size_t m_asked = 0;
};

void TstProgress::corpora_tellHowMuchIsToCome_data()
{
    QTest::addColumn<size_t>("expected");
    for (const auto& [corpus, expected] : { std::pair { "librispeech", 7 }, { "aishell1", 2 },
             { "common-voice", 3 }, { "fsdd", 1 }, { "kaldi", 3 }, { "speech-commands", 1 } })
        QTest::newRow(corpus) << static_cast<size_t>(expected);
}

void TstProgress::corpora_tellHowMuchIsToCome()
{
    QFETCH(size_t, expected);
    QVERIFY(makeCorpora());
    const std::string name = QTest::currentDataTag();
    const auto corpus
        = data::readCorpus(name, { .folder = path(name), .outFolder = path("out") }, counting());
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(m_expected.value_or(0), expected);
    QCOMPARE(m_asked, expected);
}

void TstProgress::ownListAndChecksums_tellHowMuchIsToCome()
{
    QVERIFY(sound(path("own/a.wav")));
    QVERIFY(sound(path("own/b.wav")));
    QVERIFY(text(path("own/list.csv"), "wav,text\na.wav,A\nb.wav,B\n,C\n"));
    auto corpus = data::readOwnList({ .file = path("own/list.csv") }, counting());
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(m_expected.value_or(0), size_t(3));
    QCOMPARE(m_asked, size_t(3));
    init();
    const Status summed
        = data::checkSums(*corpus, path("own"), path("out/checksums.sha256"), counting());
    QVERIFY2(summed, why(summed));
    QCOMPARE(m_expected.value_or(0), size_t(2));
    QCOMPARE(m_asked, size_t(2));
}

void TstProgress::progress_isToldNowAndThen()
{
    QVERIFY(makeCorpora());
    const auto toldEvery = [&](std::chrono::milliseconds interval) {
        Names told;
        const auto tell = [&](const std::string& how) { told.push_back(how); };
        const auto corpus = data::readCorpus("common-voice", { .folder = path("common-voice") },
            data::telling(always, "read", tell, interval));
        return corpus ? told : Names { why(corpus) };
    };
    QVERIFY(toldEvery(std::chrono::milliseconds(0))
        == (Names { "1 of 3 files read", "2 of 3 files read", "3 of 3 files read" }));
    QVERIFY(toldEvery(std::chrono::hours(1)).empty());
    const data::GoOn never = data::telling([] { return false; }, "read", [](const auto&) {});
    QVERIFY(!data::readCorpus("common-voice", { .folder = path("common-voice") }, never));
}

EARWRIGHT_TEST(TstProgress)
#include "tst_progress.moc"
