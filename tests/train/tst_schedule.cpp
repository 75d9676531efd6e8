#include "core/train/optim/scaled_schedule.h"

#include "core/recipe/parse.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

namespace {

recipe::NodePtr parsedSchedule(const std::string& text)
{
    return recipe::find(*recipe::parse("schedule: " + text + "\n", "recipe.yaml").root, "schedule");
}

std::unique_ptr<train::Schedule> madeSchedule(const std::string& text)
{
    std::vector<recipe::Diagnostic> diagnostics;
    return train::makeSchedule(parsedSchedule(text).get(), diagnostics);
}

const std::string kUpstream = "!new:speechbrain.nnet.schedulers.";

double metricOf(int epoch)
{
    return 5.0 / (1 + epoch % 4) + 0.01 * epoch;
}

} // namespace

class TstSchedule final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noNode_keepsTheRate();
    void unknownClass_isReported();
    void classInPlaceOfAnObject_isReported();
    void wrongArgument_isReported();
    void noam_actsAfterTheStep();
    void newBob_annealsAgainstThePreviousEpoch();
    void warmupHoldDecay_followsTheRun();
    void warmupHoldDecay_withoutTotal_keepsTheRate();
    void resumedSchedule_goesOnAsIfNeverStopped_data();
    void resumedSchedule_goesOnAsIfNeverStopped();
    void replayedSchedule_isThatOfALongerRun_data();
    void replayedSchedule_isThatOfALongerRun();
    void nanMetric_survivesTheState();
    void damagedState_isRefusedInWords_data();
    void damagedState_isRefusedInWords();
    void scaledSchedule_givesEveryRateInTheSameRatio();
    void scaledSchedule_keepsItsFactorInTheState();
};

void TstSchedule::noNode_keepsTheRate()
{
    std::vector<recipe::Diagnostic> diagnostics;
    const auto schedule = train::makeSchedule(nullptr, diagnostics);
    QVERIFY(schedule && diagnostics.empty());
    QCOMPARE(schedule->firstRate(0.3), 0.3);
    QCOMPARE(schedule->afterStep(0.3), 0.3);
    QCOMPARE(schedule->afterEpoch(0.3, 1), 0.3);
}

void TstSchedule::unknownClass_isReported()
{
    std::vector<recipe::Diagnostic> diagnostics;
    QVERIFY(!train::makeSchedule(
        parsedSchedule("!new:speechbrain.nnet.schedulers.Nome {}").get(), diagnostics));
    QCOMPARE(diagnostics.size(), size_t { 1 });
    QCOMPARE(diagnostics.front().rule, std::string("unknown-schedule"));
    QCOMPARE(diagnostics.front().span.begin.line, 1);
}

void TstSchedule::classInPlaceOfAnObject_isReported()
{
    std::vector<recipe::Diagnostic> diagnostics;
    QVERIFY(!train::makeSchedule(
        parsedSchedule("!name:speechbrain.nnet.schedulers.IntervalScheduler").get(), diagnostics));
    QCOMPARE(diagnostics.size(), size_t { 1 });
    QVERIFY(diagnostics.front().message.find("!new:") != std::string::npos);
}

void TstSchedule::wrongArgument_isReported()
{
    std::vector<recipe::Diagnostic> diagnostics;
    QVERIFY(!train::makeSchedule(
        parsedSchedule(kUpstream + "NoamScheduler {lr_initial: fast, n_warmup_steps: 10}").get(),
        diagnostics));
    QVERIFY(recipe::hasErrors(diagnostics));
    diagnostics.clear();
    QVERIFY(!train::makeSchedule(
        parsedSchedule(kUpstream + "IntervalScheduler {intervals: [{step: 10, lr: 0.1}]}").get(),
        diagnostics));
    QVERIFY(recipe::hasErrors(diagnostics));
}

void TstSchedule::noam_actsAfterTheStep()
{
    const auto schedule
        = madeSchedule(kUpstream + "NoamScheduler {lr_initial: 0.001, n_warmup_steps: 4}");
    QCOMPARE(schedule->firstRate(0.5), 0.5);
    QCOMPARE(schedule->afterStep(0.5), 0.00025);
    QCOMPARE(schedule->afterStep(0.00025), 0.0005);
    QCOMPARE(schedule->afterEpoch(0.0005, 3), 0.0005);
}

void TstSchedule::newBob_annealsAgainstThePreviousEpoch()
{
    const auto schedule
        = madeSchedule(kUpstream + "NewBobScheduler {initial_value: 1.0, annealing_factor: 0.5}");
    QCOMPARE(schedule->afterStep(1), 1.0);
    QCOMPARE(schedule->afterEpoch(1, 10), 1.0);
    QCOMPARE(schedule->afterEpoch(1, 12), 0.5);
    // Worse than the best, better than the one before.
    QCOMPARE(schedule->afterEpoch(0.5, 11), 0.5);
    QCOMPARE(schedule->afterEpoch(0.5, 11), 0.25);
}

void TstSchedule::warmupHoldDecay_followsTheRun()
{
    const auto schedule = madeSchedule(
        "!new:earwright.schedulers.WarmupHoldDecay {warmup: 0.1, decay: 0.4, final: 0.01}");
    schedule->setTotalSteps(100);
    std::vector<double> rates { schedule->firstRate(2.0) };
    for (int step = 1; step <= 100; ++step)
        rates.push_back(schedule->afterStep(rates.back()));
    QCOMPARE(rates[0], 0.2); // step 1 of 10
    QCOMPARE(rates[8], 1.8);
    QCOMPARE(rates[9], 2.0);
    QCOMPARE(rates[58], 2.0);
    QCOMPARE(rates[79], 2.0 * (0.01 + 0.99 * 0.5));
    QVERIFY(std::abs(rates[99] - 0.02) < 1e-12);
    QVERIFY(std::abs(rates[100] - 0.02) < 1e-12);
}

void TstSchedule::warmupHoldDecay_withoutTotal_keepsTheRate()
{
    const auto schedule = madeSchedule("!new:earwright.schedulers.WarmupHoldDecay {}");
    QCOMPARE(schedule->firstRate(0.7), 0.7);
    QCOMPARE(schedule->afterStep(0.7), 0.7);
}

void TstSchedule::resumedSchedule_goesOnAsIfNeverStopped_data()
{
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const std::string& arguments) {
        QTest::newRow(name) << QString::fromStdString(kUpstream + name + " " + arguments);
    };
    row("NewBobScheduler", "{initial_value: 1.0, patient: 1}");
    row("NoamScheduler", "{lr_initial: 0.1, n_warmup_steps: 3}");
    row("ReduceLROnPlateau", "{patience: 1, dont_halve_until_epoch: 1}");
    row("StepScheduler", "{initial_value: 1.0}");
    row("LinearScheduler", "{initial_value: 1.0, final_value: 0.1, epoch_count: 12}");
    row("CyclicLRScheduler", "{step_size: 4}");
    row("IntervalScheduler", "{intervals: [{steps: 2, lr: 0.1}, {steps: 7, lr: 0.01}]}");
    QTest::newRow("WarmupHoldDecay") << "!new:earwright.schedulers.WarmupHoldDecay {}";
}

void TstSchedule::resumedSchedule_goesOnAsIfNeverStopped()
{
    QFETCH(QString, text);
    const auto whole = madeSchedule(text.toStdString());
    const auto resumed = madeSchedule(text.toStdString());
    whole->setTotalSteps(12);
    double rate = whole->firstRate(0.5);
    const auto advance = [](train::Schedule& schedule, double current, int epoch) {
        return schedule.afterEpoch(schedule.afterStep(current), metricOf(epoch));
    };
    for (int epoch = 0; epoch < 5; ++epoch)
        rate = advance(*whole, rate, epoch);
    QVERIFY(resumed->restore(whole->state()));
    double resumedRate = rate;
    for (int epoch = 5; epoch < 12; ++epoch) {
        rate = advance(*whole, rate, epoch);
        resumedRate = advance(*resumed, resumedRate, epoch);
        QCOMPARE(resumedRate, rate);
    }
}

void TstSchedule::replayedSchedule_isThatOfALongerRun_data()
{
    QTest::addColumn<QString>("shorter");
    QTest::addColumn<QString>("longer");
    const auto row = [](const char* name, const char* text) {
        const QString schedule = QString::fromStdString(kUpstream) + text;
        QTest::newRow(name) << QString(schedule).replace("COUNT", "4")
                            << QString(schedule).replace("COUNT", "9");
    };
    row("over epochs",
        "LinearScheduler {initial_value: 0.5, final_value: 0.1, epoch_count: COUNT}");
    row("over steps",
        "LinearWarmupScheduler {initial_value: 0.5, num_warmup_steps: 2, num_training_steps: "
        "COUNT}");
    row("of the rate before", "CyclicCosineScheduler {n_warmup_steps: 1, total_steps: COUNT}");
    row("by the metric",
        "NewBobScheduler {initial_value: 0.5, annealing_factor: 0.COUNT, improvement_threshold: "
        "1.0}");
    QTest::newRow("of the whole run") << "!new:earwright.schedulers.WarmupHoldDecay {}"
                                      << "!new:earwright.schedulers.WarmupHoldDecay {}";
}

/// A resumed run with other arguments has the rates of one that had them from its start.
void TstSchedule::replayedSchedule_isThatOfALongerRun()
{
    QFETCH(QString, shorter);
    QFETCH(QString, longer);
    constexpr double kFirst = 0.5;
    const auto advance = [](train::Schedule& schedule, double rate, int from, int to) {
        for (int step = from; step < to; ++step)
            rate = schedule.afterEpoch(schedule.afterStep(rate), metricOf(step));
        return rate;
    };
    const auto before = madeSchedule(shorter.toStdString());
    before->setTotalSteps(4);
    advance(*before, before->firstRate(kFirst), 0, 3);
    const auto whole = madeSchedule(longer.toStdString());
    whole->setTotalSteps(9);
    const double expected = advance(*whole, whole->firstRate(kFirst), 0, 3);

    const auto after = madeSchedule(longer.toStdString());
    after->setTotalSteps(9);
    QVERIFY(after->restore(before->state()));
    const auto rate = after->replayed(kFirst);
    QVERIFY(rate);
    QCOMPARE(*rate, expected);
    QCOMPARE(advance(*after, *rate, 3, 7), advance(*whole, expected, 3, 7));
}

void TstSchedule::nanMetric_survivesTheState()
{
    const auto schedule = madeSchedule(kUpstream + "NewBobScheduler {initial_value: 1.0}");
    schedule->afterEpoch(1, std::nan(""));
    const auto resumed = madeSchedule(kUpstream + "NewBobScheduler {initial_value: 1.0}");
    QVERIFY(resumed->restore(schedule->state()));
    QCOMPARE(resumed->afterEpoch(1, 2.0), schedule->afterEpoch(1, 2.0));
}

void TstSchedule::scaledSchedule_givesEveryRateInTheSameRatio()
{
    // Noam computes its rate from the step, NewBob from the rate before: both follow.
    for (const char* text : { "NoamScheduler {lr_initial: 0.001, n_warmup_steps: 4}",
             "NewBobScheduler {initial_value: 0.001, annealing_factor: 0.5}" }) {
        const auto plain = madeSchedule(kUpstream + text);
        train::ScaledSchedule scaled(madeSchedule(kUpstream + text));
        double rate = 0.001;
        double scaledRate = 0.001;
        for (int step = 1; step <= 8; ++step) {
            if (step == 3) {
                scaled.scale(0.25);
                scaledRate *= 0.25;
            }
            rate = plain->afterStep(rate);
            scaledRate = scaled.afterStep(scaledRate);
            if (step % 4 == 0) {
                rate = plain->afterEpoch(rate, 1);
                scaledRate = scaled.afterEpoch(scaledRate, 1);
            }
            QCOMPARE(scaledRate, rate * (step < 3 ? 1 : 0.25));
        }
    }
}

void TstSchedule::scaledSchedule_keepsItsFactorInTheState()
{
    const std::string text = kUpstream + "NoamScheduler {lr_initial: 0.001, n_warmup_steps: 4}";
    train::ScaledSchedule whole(madeSchedule(text));
    QCOMPARE(whole.state(), madeSchedule(text)->state()); // as runs before knew it
    double rate = whole.afterStep(0.001);
    whole.scale(0.25);
    train::ScaledSchedule resumed(madeSchedule(text));
    QVERIFY(resumed.restore(whole.state()));
    for (int step = 0; step < 5; ++step) {
        const double next = whole.afterStep(rate);
        QCOMPARE(resumed.afterStep(rate), next);
        rate = next;
    }
    train::ScaledSchedule older(madeSchedule(text));
    QVERIFY(older.restore(madeSchedule(text)->state()));
    QCOMPARE(older.afterStep(0.001), madeSchedule(text)->afterStep(0.001));
}

void TstSchedule::damagedState_isRefusedInWords_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("words");
    const QString noam = "NoamScheduler {lr_initial: 0.001, n_warmup_steps: 4}";
    const QString newBob = "NewBobScheduler {initial_value: 1.0}";
    QTest::newRow("no JSON") << noam << "{"
                             << "not a JSON object";
    QTest::newRow("list") << noam << "[1]"
                          << "not a JSON object";
    QTest::newRow("missing") << noam << "{}"
                             << "'n_steps' is missing";
    QTest::newRow("text") << noam << R"({"n_steps": "4"})"
                          << "'n_steps' has the wrong type";
    QTest::newRow("negative") << noam << R"({"n_steps": -1})"
                              << "'n_steps' is -1";
    QTest::newRow("endless") << noam << R"({"n_steps": 9007199254740991})"
                             << "'n_steps' is 9007";
    QTest::newRow("metrics")
        << newBob << R"({"hyperparam_value": 1, "current_patient": 0, "metric_values": [{}]})"
        << "'metric_values' has the wrong type";
    QTest::newRow("rate")
        << newBob << R"({"hyperparam_value": null, "current_patient": 0, "metric_values": []})"
        << "'hyperparam_value' is";
    QTest::newRow("factor") << noam << R"({"factor": [], "of": "{}"})"
                            << "'factor' has the wrong type";
    QTest::newRow("of") << noam << R"({"factor": 2, "of": {}})"
                        << "'of' has the wrong type";
}

void TstSchedule::damagedState_isRefusedInWords()
{
    QFETCH(QString, schedule);
    QFETCH(QString, state);
    QFETCH(QString, words);
    train::ScaledSchedule scaled(madeSchedule(kUpstream + schedule.toStdString()));
    const Status restored = scaled.restore(state.toStdString());
    QVERIFY(!restored);
    QVERIFY2(restored.error().message.find(words.toStdString()) != std::string::npos,
        restored.error().message.c_str());
}

EARWRIGHT_TEST(TstSchedule)
#include "tst_schedule.moc"
