#include "tests/registry.h"
#include "ui/launch/device_model.h"
#include "ui/launch/launch_panel.h"
#include "ui/launch/overrides_model.h"
#include "ui/launch/precisions.h"
#include "ui/launch/run_starter.h"
#include "ui/widgets/action_registry.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>

using namespace earwright;
using namespace earwright::ui;

namespace {

check::Machine twoGpus()
{
    check::Machine machine;
    machine.cpuCores = 8;
    check::Gpu old;
    old.name = "Turing";
    old.capabilityMajor = 7;
    old.capabilityMinor = 5;
    check::Gpu recent;
    recent.name = "Hopper";
    recent.capabilityMajor = 9;
    machine.gpus = { recent, old };
    return machine;
}

QVariantMap overridesOf(const QString& recipe, const QString& override)
{
    return { { recipe, QStringList { override } } };
}

ActionRegistry& launchActions()
{
    static ActionRegistry actions;
    if (actions.all().isEmpty()) {
        for (const char* id : { "run.start", "run.stop", "run.compare" })
            actions.add({ .id = QLatin1String(id),
                .text = QLatin1String(id),
                .iconName = {},
                .shortcut = {} });
    }
    return actions;
}

} // namespace

/// What is chosen for a run before it starts: devices, precision and overrides.
class TstLaunchPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cpu_offersWhatItCanDo();
    void gpus_offerWhatAllOfThemCanDo();
    void chosenGpus_becomeTheDevicesOption();
    void machineAskedAgain_changesOnlyItsFigures();
    void overrides_areReadBackAsTyped();
    void newOverride_isTypedKeyTabValue();
    void longKeys_getTheirRoomAndKeepTheirEnds();
    void commandLine_isQuotedForAShell();
    void launchState_isRestored();
    void gpusOfLastTime_waitForTheMachine();
    void overrides_areOfTheRecipeTheyWereTypedFor();
};

void TstLaunchPanel::cpu_offersWhatItCanDo()
{
    QComboBox combo;
    fillPrecisions(combo, {}, {});
    choosePrecision(combo, QStringLiteral("bf16"));
    QCOMPARE(chosenPrecision(combo), QStringLiteral("bf16"));
    QVERIFY(precisionRefusal(QStringLiteral("fp32"), {}, {}).isEmpty());
    QVERIFY(!precisionRefusal(QStringLiteral("tf32"), {}, {}).isEmpty());
    QVERIFY(precisionRefusal(QStringLiteral("fp16"), {}, {}).contains(QStringLiteral("bf16")));
}

void TstLaunchPanel::gpus_offerWhatAllOfThemCanDo()
{
    const check::Machine machine = twoGpus();
    for (const QString& precision : allPrecisions())
        QVERIFY2(precisionRefusal(precision, { 0 }, machine).isEmpty(), qPrintable(precision));
    QVERIFY(precisionRefusal(QStringLiteral("fp16"), { 0, 1 }, machine).isEmpty());
    QVERIFY(precisionRefusal(QStringLiteral("tf32"), { 0, 1 }, machine)
                .contains(QStringLiteral("Turing")));
}

void TstLaunchPanel::chosenGpus_becomeTheDevicesOption()
{
    DeviceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setMachine(twoGpus());
    QVERIFY(model.setData(model.index(1, DeviceModel::Device), Qt::Unchecked, Qt::CheckStateRole));
    QCOMPARE(model.devicesOption(2), QStringLiteral("cpu:2"));
    QVERIFY(model.setData(model.index(1, DeviceModel::Device), Qt::Checked, Qt::CheckStateRole));
    QVERIFY(model.setData(model.index(2, DeviceModel::Device), Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(model.devicesOption(2), QStringLiteral("cuda:0,1"));
    QVERIFY(model.setData(model.index(0, DeviceModel::Device), Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(model.devicesOption(2), QStringLiteral("cpu:2"));
}

/// A list of precisions that is open, or text that is selected, would be lost.
void TstLaunchPanel::machineAskedAgain_changesOnlyItsFigures()
{
    DeviceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy selection(&model, &DeviceModel::selectionChanged);
    model.setMachine({});
    QCOMPARE(selection.size(), 1);
    check::Machine machine = twoGpus();
    machine.gpus[0].totalMemoryBytes = int64_t { 80 } << 30;
    model.setMachine(machine);
    QCOMPARE(selection.size(), 2);
    const QModelIndex memory = model.index(1, DeviceModel::Memory);
    QCOMPARE(memory.data().toString(), QStringLiteral("80.0 GiB")); // how much is free, nobody says
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    machine.gpus[0].freeMemoryBytes = int64_t { 20 } << 30;
    model.setMachine(machine);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(memory.data().toString(), QStringLiteral("20.0 GiB free of 80.0 GiB"));
    QCOMPARE(selection.size() + reset.size(), 2);
    machine.gpus.pop_back();
    model.setMachine(machine);
    QCOMPARE(selection.size() + reset.size(), 4);
}

void TstLaunchPanel::overrides_areReadBackAsTyped()
{
    OverridesModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(model.setData(model.index(0, OverridesModel::Key), QStringLiteral("lr")));
    QVERIFY(model.setData(model.index(0, OverridesModel::Value), QStringLiteral("0.01")));
    QCOMPARE(model.overrides(), QStringList { QStringLiteral("lr=0.01") });
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(model.setData(model.index(0, OverridesModel::Key), QString()));
    QCOMPARE(model.overrides(), QStringList());
    QVERIFY(!overrideError(QString(), QStringLiteral("1")).isEmpty());
    QVERIFY(overrideError(QStringLiteral("enc.dropout"), QStringLiteral("0.1")).isEmpty());
}

/// By the keyboard, in the panel's own table.
void TstLaunchPanel::newOverride_isTypedKeyTabValue()
{
    LaunchPanel panel(launchActions());
    panel.show();
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    auto* view = panel.findChild<QTableView*>(QStringLiteral("overridesView"));
    const auto type = [](const char* text, Qt::Key end) {
        QWidget* editor = QApplication::focusWidget();
        QTest::keyClicks(editor, QLatin1String(text));
        QTest::keyClick(editor, end);
    };
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
        view->visualRect(view->model()->index(0, OverridesModel::Key)).center());
    type("data_folder", Qt::Key_Tab);
    type("/path", Qt::Key_Tab);
    type("lr", Qt::Key_Tab);
    type("0.01", Qt::Key_Return);
    QTRY_COMPARE(panel.request().overrides,
        QStringList({ QStringLiteral("data_folder=/path"), QStringLiteral("lr=0.01") }));
    QCOMPARE(view->model()->rowCount(), 3);
}

void TstLaunchPanel::longKeys_getTheirRoomAndKeepTheirEnds()
{
    LaunchPanel panel(launchActions());
    panel.resize(310, 800);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const auto* view = panel.findChild<QTableView*>(QStringLiteral("overridesView"));
    const auto width = [view](int column) { return view->columnWidth(column); };
    const auto restore = [&](const char* text) {
        panel.restoreState(
            { { QStringLiteral("overrides"), overridesOf(QString(), QLatin1String(text)) } });
    };
    QVERIFY(!view->wordWrap());
    QCOMPARE(view->textElideMode(), Qt::ElideMiddle);
    restore("lr=/tmp/a/path/that/is/long");
    QVERIFY(width(OverridesModel::Key) < width(OverridesModel::Value));
    restore("++train_conf.find_unused_parameters=true");
    QVERIFY(width(OverridesModel::Key) > width(OverridesModel::Value));
    QVERIFY(width(OverridesModel::Value) > 60);
    restore("=1");
    const QString tip = view->model()->index(0, 0).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.startsWith(QStringLiteral("=1\n")), qPrintable(tip));
}

void TstLaunchPanel::commandLine_isQuotedForAShell()
{
    const LaunchRequest request { .recipe = QStringLiteral("/my recipes/it's.yaml"),
        .devices = QStringLiteral("cpu:2"),
        .precision = QStringLiteral("bf16"),
        .evalPrecision = {},
        .overrides = { QStringLiteral("lr=0.01"), QStringLiteral("name=a b") } };
    QCOMPARE(commandLine(QStringLiteral("earwright"), trainArguments(request, {})),
        QStringLiteral(
            "earwright train '/my recipes/it'\\''s.yaml' --devices cpu:2 --precision bf16 "
            "lr=0.01 'name=a b'"));
}

void TstLaunchPanel::launchState_isRestored()
{
    LaunchPanel before(launchActions());
    before.setMachine(twoGpus(), {});
    QCOMPARE(before.request().devices,
        QStringLiteral("cuda:0")); // a GPU that is there is what one wants
    before.restoreState({ { QStringLiteral("gpus"), QVariantList() },
        { QStringLiteral("cpuRanks"), 3 }, { QStringLiteral("precision"), QStringLiteral("bf16") },
        { QStringLiteral("compared"), QStringList { QStringLiteral("bf16") } },
        { QStringLiteral("overrides"), overridesOf(QString(), QStringLiteral("lr=1")) } });
    QCOMPARE(before.request().devices, QStringLiteral("cpu:3"));
    LaunchPanel after(launchActions());
    after.setMachine(twoGpus(), {});
    after.restoreState(before.state());
    QCOMPARE(after.request().devices, QStringLiteral("cpu:3"));
    QCOMPARE(after.request().precision, QStringLiteral("bf16"));
    QCOMPARE(after.request().overrides, QStringList { QStringLiteral("lr=1") });
    QCOMPARE(after.comparedPrecisions(), QStringList { QStringLiteral("bf16") });
    after.restoreState({});
    QCOMPARE(after.comparedPrecisions(),
        QStringList({ QStringLiteral("fp32"), QStringLiteral("bf16") }));
}

/// The rest does not; and what is chosen meanwhile counts.
void TstLaunchPanel::gpusOfLastTime_waitForTheMachine()
{
    const QVariantMap last { { QStringLiteral("gpus"), QVariantList { 1 } },
        { QStringLiteral("cpuRanks"), 3 } };
    for (const bool isCpuChosen : { false, true }) {
        LaunchPanel panel(launchActions());
        panel.restoreState(last);
        QCOMPARE(panel.request().devices, QStringLiteral("cpu:3"));
        QCOMPARE(panel.state().value(QStringLiteral("gpus")).toList(), QVariantList { 1 });
        QAbstractItemModel* devices
            = panel.findChild<QTreeView*>(QStringLiteral("deviceView"))->model();
        if (isCpuChosen)
            QVERIFY(devices->setData(devices->index(0, 0), Qt::Checked, Qt::CheckStateRole));
        panel.setMachine(twoGpus(), {});
        QCOMPARE(panel.request().devices,
            isCpuChosen ? QStringLiteral("cpu:3") : QStringLiteral("cuda:1"));
    }
    LaunchPanel first(launchActions());
    QVERIFY(!first.state().contains(QStringLiteral("gpus"))); // or the next would take the CPU
}

/// What is right for one recipe may be wrong for another, or be a key that it has not.
void TstLaunchPanel::overrides_areOfTheRecipeTheyWereTypedFor()
{
    const QString one = QStringLiteral("/recipes/one.yaml");
    const QString two = QStringLiteral("/recipes/two.yaml");
    const QStringList rate { QStringLiteral("lr=0.5") };
    LaunchPanel panel(launchActions());
    panel.setRecipe(one);
    QAbstractItemModel* model
        = panel.findChild<QTableView*>(QStringLiteral("overridesView"))->model();
    QVERIFY(model->setData(model->index(0, OverridesModel::Key), QStringLiteral("lr")));
    QVERIFY(model->setData(model->index(0, OverridesModel::Value), QStringLiteral("0.5")));
    QCOMPARE(panel.request().overrides, rate);
    panel.setRecipe(two);
    QCOMPARE(panel.request().overrides, QStringList());
    LaunchPanel next(launchActions());
    next.setRecipe(two);
    next.restoreState(panel.state());
    QCOMPARE(next.request().overrides, QStringList());
    for (LaunchPanel* each : { &panel, &next }) {
        each->setRecipe(one);
        QCOMPARE(each->request().overrides, rate);
    }
}

EARWRIGHT_TEST(TstLaunchPanel)
#include "tst_launch_panel.moc"
