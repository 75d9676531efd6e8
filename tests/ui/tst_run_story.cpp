#include "tests/registry.h"
#include "tests/ui/recorded_run.h"
#include "ui/runs/run_story.h"

#include <QTest>

#include <algorithm>

using namespace earwright;
using namespace earwright::ui;

/// What is told of a run beside the messages of its ranks.
class TstRunStory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void story_tellsStartValidationsSkippedStepsAndEnd();
    void story_ofARunThatGrows_onlyAppends();
    void resumption_isToldWhenItWas();
    void wordErrors_areToldOnlyOfTextsWithWords();
};

void TstRunStory::story_tellsStartValidationsSkippedStepsAndEnd()
{
    RunStory story;
    QVERIFY(story.update(foldRecording(QStringLiteral("digits_bf16"))));
    const std::vector<run::LogLine>& lines = story.lines();
    QVERIFY(std::is_sorted(lines.begin(), lines.end(),
        [](const auto& a, const auto& b) { return a.wallTime < b.wallTime; }));
    const auto count = [&](const char* text) {
        return std::count_if(lines.begin(), lines.end(),
            [text](const run::LogLine& line) { return line.text.find(text) != std::string::npos; });
    };
    QCOMPARE(count("started: bf16"), 1);
    QCOMPARE(count("not finite, step skipped: jackson-train-0229"), 12);
    QVERIFY(count(": valid loss") >= 12);
    QVERIFY(lines.back().text.find("done after 480 steps") != std::string::npos);
    QCOMPARE(lines.back().rank, int64_t { -1 });
}

void TstRunStory::wordErrors_areToldOnlyOfTextsWithWords()
{
    run::Evaluated evaluated { "test", 1, 10, 0.5, 12.5, 4, "" };
    QCOMPARE(ratesText(evaluated), QStringLiteral("WER 12.50 %, CER 4.00 %"));
    evaluated.rate = "CER";
    QCOMPARE(ratesText(evaluated), QStringLiteral("CER 4.00 %"));
}

void TstRunStory::story_ofARunThatGrows_onlyAppends()
{
    RunStory live;
    for (const size_t events : { 100U, 700U, 1300U, 5000U })
        QVERIFY(live.update(foldRecording(QStringLiteral("digits_bf16"), events)));
    RunStory reopened;
    reopened.update(foldRecording(QStringLiteral("digits_bf16")));
    QCOMPARE(live.lines().size(), reopened.lines().size());
    QVERIFY(!live.update(foldRecording(QStringLiteral("digits_bf16"), 700)));
    QVERIFY(live.lines().size() < reopened.lines().size());
}

void TstRunStory::resumption_isToldWhenItWas()
{
    run::Snapshot snapshot;
    run::fold(snapshot, -1, { 10, run::PhaseChanged { "starting" } });
    run::fold(snapshot, 0, { 11, run::Message { "info", "placed" } });
    run::fold(snapshot, 0, { 12, run::RunStarted { .precision = "fp32" } });
    run::fold(snapshot, 0, { 20, run::Scalar { "train/loss", 5, 1 } });
    RunStory story;
    story.update(snapshot);
    QCOMPARE(story.lines().back().wallTime, 12.0);
    run::fold(snapshot, 0,
        { 90, run::RunStarted { .precision = "fp32", .attempt = 1, .resumedStep = 5 } });
    story.update(snapshot);
    QVERIFY(story.lines().back().text.find("resumed at step 5") != std::string::npos);
    QCOMPARE(story.lines().back().wallTime, 90.0);
}

EARWRIGHT_TEST(TstRunStory)
#include "tst_run_story.moc"
