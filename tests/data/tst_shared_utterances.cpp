#include "core/base/file.h"
#include "core/data/shared_utterances.h"
#include "tests/registry.h"

#include <filesystem>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using data::Utterance;

namespace {

using Utterances = std::vector<Utterance>;

constexpr int kCount = 12;

} // namespace

/// A test or validation set that was trained on is told by numbers.
class TstSharedUtterances : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharedParts_areCounted_data();
    void sharedParts_areCounted();

private:
    /// Of `prefix`: IDs, texts and files of its own, each of 300 kB and as many bytes.
    Utterances set(const std::string& prefix)
    {
        Utterances made;
        for (int i = 0; i < kCount; ++i) {
            const std::string id = prefix + std::to_string(i);
            const std::string file = m_folder.filePath(QString::fromStdString(id)).toStdString();
            std::string bytes(300000, 'x');
            bytes.replace(150000, id.size(), id);
            if (!writeFileAtomically(file, bytes))
                qFatal("cannot write a file");
            made.push_back({ id, file, 1, "", "text of " + id, i + 2 });
        }
        return made;
    }

    QTemporaryDir m_folder;
};

void TstSharedUtterances::sharedParts_areCounted_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("counted"); // "" = nothing is said
    QTest::newRow("nothing") << ""
                             << "";
    QTest::newRow("the same set") << "all"
                                  << "12 of 12 IDs, 12 of 12 audio files, 12 of 12 sentences are";
    QTest::newRow("one ID") << "id"
                            << "1 of 12 IDs, 0 of 12 audio files, 0 of 12 sentences are";
    QTest::newRow("one path") << "path"
                              << "0 of 12 IDs, 1 of 12 audio files, 0 of 12 sentences are";
    QTest::newRow("a copy") << "copy"
                            << "0 of 12 IDs, 1 of 12 audio files, 0 of 12 sentences are";
    QTest::newRow("same part")
        << "part"
        << "0 of 12 IDs, 1 of 12 audio files or parts, 0 of 12 sentences are";
    QTest::newRow("other parts of the same file") << "other parts"
                                                  << "";
    QTest::newRow("the same numbers as seconds and as samples") << "other unit"
                                                                << "";
    QTest::newRow("one copy of two, in many rows")
        << "copies"
        << "0 of 12 IDs, 2 of 12 audio files, 0 of 12 sentences are";
    QTest::newRow("all sentences") << "texts"
                                   << "12 of 12 sentences are";
    QTest::newRow("a small vocabulary") << "words"
                                        << "";
    QTest::newRow("one sentence") << "text"
                                  << "";
    QTest::newRow("files that are not there") << "gone"
                                              << "";
}

void TstSharedUtterances::sharedParts_areCounted()
{
    QFETCH(QString, change);
    QFETCH(QString, counted);
    Utterances train = set("a");
    Utterances test = change == "all" ? train : set("b");
    if (change == "id")
        test[3].id = train[5].id;
    if (change == "path")
        test[3].wav = train[5].wav;
    if (change == "copy")
        std::filesystem::copy_file(
            train[5].wav, test[3].wav, std::filesystem::copy_options::overwrite_existing);
    if (change.contains("part") || change == "other unit") {
        train[5].part = { .begin = 1, .end = 3, .channel = 0 };
        test[3].wav = train[5].wav;
        test[3].part = train[5].part;
    }
    if (change == "other parts")
        test[3].part.channel = 1;
    if (change == "other unit")
        test[3].part.countsSamples = true;
    if (change == "copies") {
        for (const size_t copy : { size_t(3), size_t(7) })
            std::filesystem::copy_file(
                train[5].wav, test[copy].wav, std::filesystem::copy_options::overwrite_existing);
        for (size_t i = 0; i < kCount; ++i)
            train[i].wav = train[5].wav;
    }
    if (change == "text")
        test[3].text = train[5].text;
    for (size_t i = 0; i < kCount; ++i) {
        if (change == "texts")
            test[i].text = train[i].text;
        if (change == "words")
            test[i].text = train[i].text = i % 2 == 0 ? "yes" : "no";
        if (change == "gone")
            test[i].wav = train[i].wav + ".b";
    }
    const auto found = data::sharedUtterances(train, "train.csv", test, "test.csv");
    QCOMPARE(found.empty(), counted.isEmpty());
    if (counted.isEmpty())
        return;
    QCOMPARE(found[0].rule, std::string("data-same-utterance"));
    QCOMPARE(found[0].severity, recipe::Severity::Warning);
    QCOMPARE(found[0].span.file, std::string("test.csv"));
    QCOMPARE(QString::fromStdString(found[0].message),
        counted + " in 'train.csv' too: the error rate tells nothing of what was not trained on");
}

EARWRIGHT_TEST(TstSharedUtterances)
#include "tst_shared_utterances.moc"
