#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/prepare/missing.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/report_file.h"
#include "core/recipe/parse.h"

#include <QTest>

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace earwright;
using namespace earwright::tests;
using data::Corpus;
using data::PrepareReport;

/// What a preparation says it made, and what the next one makes of that.
class TstReportFile : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void report_hasAllNames();
    void earlierManifests_areRemoved();
    void others_areLeftAlone();
    void others_areNotWrittenOver();
    void folder_isLookedAtBeforeACorpusIsRead();
    void audioThatCannotBeRead_isToldWhy();
    void run_keepsWhatItDidNotMake();

private:
    Corpus corpusOf(const Names& parts)
    {
        Corpus corpus;
        for (const std::string& part : parts) {
            const std::string wav = path("audio/" + part + ".wav").string();
            if (sound(wav))
                corpus.add(part, { part, wav, 0, "", "A", 0 });
        }
        return corpus;
    }
    nlohmann::json kept(const std::string& folder)
    {
        return nlohmann::json::parse(*readFile(path(folder + "/earwright-prepared.json")));
    }
};

void TstReportFile::report_hasAllNames()
{
    Corpus corpus = corpusOf({ "train", "dev", "test" });
    Names all;
    for (int i = 0; i < 40; ++i)
        all.push_back("u" + std::to_string(i) + "\xff");
    corpus.dropped["no text"] = all;
    const auto report = data::writeManifests(corpus, path("all"));
    QVERIFY2(report, why(report));
    QCOMPARE(kept("all")["left_out"]["no text"].size(), size_t(40));
    QCOMPARE(kept("all")["left_out"]["no text"][39].get<std::string>(), "u39\uFFFD");
    QCOMPARE(kept("all")["manifests"][0]["file"].get<std::string>(), "train.csv");
    QCOMPARE(kept("all")["manifests"][0]["utterances"].get<int>(), 1);
    const QString shown = QString::fromStdString(report->text());
    QVERIFY(!shown.contains("u39") && shown.contains("dropped 40: no text"));
    QVERIFY(shown.endsWith("all that was left out: "
        + QString::fromStdString(path("all/earwright-prepared.json").string()) + "\n"));
}

void TstReportFile::earlierManifests_areRemoved()
{
    QVERIFY(data::writeParts(corpusOf({ "train", "dev", "test" }), path("again")));
    QVERIFY(text(path("again/own.csv"), "mine"));
    const auto report = data::writeParts(corpusOf({ "train", "dev" }), path("again/"));
    QVERIFY2(report, why(report));
    QVERIFY(!std::filesystem::exists(path("again/test.csv")));
    QVERIFY(std::filesystem::exists(path("again/own.csv")));
    QVERIFY(report->notes
        == (Names { "no test.csv is written: there is no such part",
            "'" + path("again/test.csv").string() + "', of an earlier preparation, was removed" }));
    QCOMPARE(kept("again")["manifests"].size(), size_t(2));
    QVERIFY(kept("again")["notes"].dump().find("was removed") != std::string::npos);
}

/// What was changed since, lies elsewhere or is named by no report.
void TstReportFile::others_areLeftAlone()
{
    QVERIFY(data::writeParts(corpusOf({ "train", "dev", "test" }), path("mine")));
    QVERIFY(text(path("mine/test.csv"), "by hand"));
    const auto report = data::writeParts(corpusOf({ "train", "dev" }), path("mine"));
    QVERIFY2(report, why(report));
    QCOMPARE(*readFile(path("mine/test.csv")), std::string("by hand"));
    QCOMPARE(report->notes.size(), size_t(2));
    QVERIFY2(QString::fromStdString(report->notes[1]).endsWith("was changed since: left as it is"),
        report->notes[1].c_str());
    QVERIFY(text(path("away.csv"), ""));
    const std::string sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    const auto removeThose = [&] { // of a report that names none, those that are there are not ours
        for (const char* name : { "train.csv", "dev.csv" })
            std::filesystem::remove(path("mine") / name);
    };
    for (const std::string& row :
        { std::string("{\"file\": \"../away.csv\", \"sha256\": \"" + sum + "\"}"),
            std::string("{\"file\": 3}"), std::string("3") }) {
        QVERIFY(text(path("mine/earwright-prepared.json"), "{\"manifests\": [" + row + "]}"));
        removeThose();
        const auto next = data::writeParts(corpusOf({ "train", "dev" }), path("mine"));
        QVERIFY2(next, why(next));
        QVERIFY(next->notes == (Names { "no test.csv is written: there is no such part" }));
        QVERIFY(std::filesystem::exists(path("away.csv")));
    }
    QVERIFY(text(path("mine/earwright-prepared.json"), "no JSON"));
    std::filesystem::remove(path("mine/train.csv"));
    QVERIFY(data::writeParts(corpusOf({ "train" }), path("mine")));
    QVERIFY(std::filesystem::exists(path("mine/dev.csv")));
}

void TstReportFile::others_areNotWrittenOver()
{
    const Corpus corpus = corpusOf({ "train", "dev", "test" });
    QVERIFY(text(path("theirs/train.csv"), "by hand"));
    for (const auto& report : { data::writeParts(corpus, path("theirs")),
             data::writeManifests(corpus, path("theirs")) }) {
        QVERIFY(!report);
        QVERIFY2(report.error().message.find("train.csv' is there") != std::string::npos,
            report.error().message.c_str());
    }
    QCOMPARE(*readFile(path("theirs/train.csv")), std::string("by hand"));
    QVERIFY(!std::filesystem::exists(path("theirs/dev.csv")));
    std::filesystem::remove(path("theirs/train.csv"));
    QVERIFY(data::writeParts(corpus, path("theirs")));
    QVERIFY(data::writeParts(corpus, path("theirs"))); // its own
    QVERIFY(text(path("theirs/dev.csv"), "changed"));
    QVERIFY(!data::writeParts(corpus, path("theirs")));
}

void TstReportFile::folder_isLookedAtBeforeACorpusIsRead()
{
    const Names names { "train", "dev-clean" };
    QVERIFY(data::checkFolder(path("first/of/all"), names));
    QVERIFY(data::checkFolder("", {}));
    QVERIFY(!std::filesystem::exists(path("first")));
    QVERIFY(text(path("no folder"), ""));
    for (const char* place : { "no folder", "no folder/in it" }) {
        const Status no = data::checkFolder(path(place), names);
        QVERIFY(!no);
        QVERIFY2(QString(why(no)).endsWith("no folder' is no folder"), why(no));
    }
    QVERIFY(text(path("early/dev-clean.csv"), "by hand"));
    const Status theirs = data::checkFolder(path("early"), names);
    QVERIFY(!theirs);
    QVERIFY2(QString(why(theirs)).contains("dev-clean.csv' is there"), why(theirs));
    std::filesystem::remove(path("early/dev-clean.csv"));
    QVERIFY(data::writeParts(corpusOf({ "train" }), path("early")));
    QVERIFY(data::checkFolder(path("early/"), names)); // its own
    QVERIFY(makeLibriSpeech("parts"));
    const Names splits = data::possibleSplits("librispeech", path("parts"));
    QVERIFY(std::find(splits.begin(), splits.end(), "dev-clean") != splits.end());
    QCOMPARE(data::possibleSplits("kaldi", path("parts/LibriSpeech/")).at(3), "LibriSpeech");
    QCOMPARE(data::possibleSplits("fsdd", path("parts")).size(), size_t(3));
}

void TstReportFile::audioThatCannotBeRead_isToldWhy()
{
    QVERIFY(text(path("bad/empty.wav"), ""));
    QVERIFY(text(path("bad/page.flac"), "<html>404 Not Found</html>"));
    QVERIFY(sound(path("bad/cut.wav")));
    std::filesystem::resize_file(path("bad/cut.wav"), 1000);
    Corpus corpus = corpusOf({ "train", "dev", "test" });
    for (const char* name : { "empty.wav", "page.flac", "cut.wav" })
        corpus.add("train", { name, path(std::string("bad/") + name).string(), 0, "", "A", 0 });
    QVERIFY(corpus.dropped.at("audio that cannot be read")
        == (Names { "empty.wav: the file is empty (0 bytes)",
            "page.flac: its header is not sound (is it a WAV or FLAC file?)",
            "cut.wav: it is cut short: 7044 bytes that its header promises are not there" }));
    const auto report = data::writeManifests(corpus, path("told"));
    QVERIFY2(report, why(report));
    QVERIFY(report->text().find("(empty.wav: the file is empty (0 bytes), ") != std::string::npos);
    QCOMPARE(kept("told")["left_out"]["audio that cannot be read"].size(), size_t(3));
}

void TstReportFile::run_keepsWhatItDidNotMake()
{
    QVERIFY(makeLibriSpeech("ls"));
    const auto corpus = read("librispeech", "ls");
    QVERIFY(corpus && data::writeParts(*corpus, path("run")));
    std::filesystem::remove(path("run/train.csv"));
    const recipe::NodePtr recipe = recipe::parse("data_folder: " + path("ls").string()
            + "\ntrain_csv: " + path("run/train.csv").string() + "\n",
        "recipe.yaml")
                                       .root;
    const auto report = data::prepareMissing(*recipe, always, always);
    QVERIFY2(report, why(report));
    QVERIFY(std::filesystem::exists(path("run/dev-clean.csv")));
    QCOMPARE(kept("run")["manifests"].size(), size_t(6));
    QCOMPARE(report->file, path("run/earwright-prepared.json"));
}

EARWRIGHT_TEST(TstReportFile)
#include "tst_report_file.moc"
