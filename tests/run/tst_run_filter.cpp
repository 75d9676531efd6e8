#include "core/run/run_filter.h"
#include "core/run/run_folder.h"
#include "core/run/run_settings.h"
#include "tests/registry.h"

#include <limits>
#include <QTest>

using namespace earwright;
using namespace earwright::run;

namespace {

RunSummary digits()
{
    RunSummary run;
    run.folder.path = "/runs/digits-20261128-101500";
    run.name = "digits";
    run.state = State::Done;
    run.precision = "bf16";
    run.devices = { "cuda:0", "cuda:1" };
    run.epoch = 12;
    run.step = 4000;
    run.testWer = 9.5;
    run.testCer = 3.25;
    run.metrics
        = { { "valid/loss", 1.5 }, { "train/loss", std::numeric_limits<double>::quiet_NaN() } };
    run.notes
        = { .name = "Baseline 一", .tags = { "best", "paper" }, .notes = "with Augmentation" };
    return run;
}

const RunSettings kSettings { { "seed=13" },
    { { "lr", "0.01" }, { "opt", "adamw" }, { "dim", "1e3" } } };

} // namespace

class TstRunFilter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void words_areAllTrueOfARun_data()
    {
        QTest::addColumn<bool>("isFound");
        const auto row = [](const char* filter, bool isFound) { QTest::newRow(filter) << isFound; };
        row("", true);
        row("DIGITS", true);
        row("digits-2026", true);
        row("baseline paper", true);
        row("baseline other", false);
        row("augment", true);
        row("一", true);
        row("seed=13", true);
        row("seed=1", true);
        row("adamw", false); // a key's value is asked for by its key
        row("opt:Adam", true);
        row("opt:sgd", false);
        row("missing:1", false);
        row("tag:best", true);
        row("tag:worst", false);
        row("note:aug", true);
        row("\"note:with aug\"", true);
        row("state:done precision:bf16 device:cuda:1", true);
        row("state:failed", false);
        row("wer<10", true);
        row("wer<9.5", false);
        row("wer<=9.5", true);
        row("cer>3 cer<3.3", true);
        row("epoch>=12 step>3999", true);
        row("lr<0.1", true);
        row("lr>0.1", false);
        row("dim>=1000", true);
        row("opt<1", false);
        row("valid/loss<2", true);
        row("train/loss<2", false); // NaN
        row("train/loss>=2", false);
    }

    void words_areAllTrueOfARun()
    {
        QFETCH(bool, isFound);
        const Result<RunFilter> filter = RunFilter::parse(QTest::currentDataTag());
        QVERIFY(filter);
        QCOMPARE(filter->matches(digits(), kSettings), isFound);
    }

    void runWithoutATest_hasNoWer()
    {
        RunSummary run = digits();
        run.testWer = -1;
        QVERIFY(!RunFilter::parse("wer<100")->matches(run, {}));
        run = digits();
        run.testRate = "CER";
        QVERIFY(!RunFilter::parse("wer<100")->matches(run, {}));
        QVERIFY(RunFilter::parse("cer<100")->matches(run, {}));
    }

    void recipe_isReadOnlyWhereItIsAskedFor()
    {
        for (const char* text : { "", "wer<10", "tag:best valid/loss<2", "state:done" })
            QVERIFY2(!RunFilter::parse(text)->needsSettings(), text);
        for (const char* text : { "lr<1", "opt:adam", "digits" })
            QVERIFY2(RunFilter::parse(text)->needsSettings(), text);
    }

    void wrongWord_isNamed()
    {
        const auto said = [](const char* text) {
            const Result<RunFilter> filter = RunFilter::parse(text);
            return filter ? QString() : QString::fromStdString(filter.error().message);
        };
        QVERIFY2(said("digits wer<ten").contains("'wer<ten'"), qPrintable(said("digits wer<ten")));
        QVERIFY(said("wer<=").contains("'wer<=10'"));
        QVERIFY(said("\"open").contains("quote"));
    }
};

EARWRIGHT_TEST(TstRunFilter)
#include "tst_run_filter.moc"
