#include "tests/registry.h"
#include "tests/ui/run_summaries.h"
#include "ui/runs/run_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace earwright;
using namespace earwright::ui;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// a: WER 9, b: WER 12, c: none; all of the recipe "demo".
std::vector<run::RunSummary> threeRuns()
{
    std::vector<run::RunSummary> runs { summaryOf("a", run::State::Done),
        summaryOf("b", run::State::Failed), summaryOf("c", run::State::Running) };
    runs[0].testWer = 9;
    runs[1].testWer = 12;
    for (run::RunSummary& run : runs)
        run.name = "demo";
    return runs;
}

DetailsByPath detailsOf(const QString& path, std::vector<std::string> overrides,
    std::map<std::string, std::string> keys, qint64 bytes = 0)
{
    return { { path, { { std::move(overrides), std::move(keys) }, bytes } } };
}

QString rowsOf(const RunTableModel& model)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row)
        names << model.index(row, 0)
                     .data(RunTableModel::PathRole)
                     .toString()
                     .section(QLatin1Char('/'), -1);
    return names.join(QLatin1Char(' '));
}

QString cell(const RunTableModel& model, int row, const char* id)
{
    const auto column = static_cast<int>(model.columns().indexOf(QLatin1String(id)));
    return model.index(row, column).data().toString();
}

void sortBy(RunTableModel& model, const char* id, Qt::SortOrder order)
{
    model.sort(static_cast<int>(model.columns().indexOf(QLatin1String(id))), order);
}

} // namespace

/// The table of all runs.
class TstRunTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sorting_putsLastWhatIsNoNumber();
    void filter_leavesWhatItAsksFor();
    void archivedRuns_areShownWhereAskedFor();
    void columns_areKeysAndMetrics();
    void names_sayWhatDiffers();
    void newListing_keepsRowsInPlace();
    void typedNotes_areTold();
    void capsule_isNotEdited();
};

void TstRunTable::sorting_putsLastWhatIsNoNumber()
{
    std::vector<run::RunSummary> runs = threeRuns();
    runs.push_back(summaryOf("d", run::State::Done));
    runs[0].metrics = { { "valid/loss", kNan } };
    runs[1].metrics = { { "valid/loss", 2 } };
    runs[3].metrics = { { "valid/loss", 1 } };
    RunTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setColumns(fixedColumns() + QStringList { QStringLiteral("valid/loss") });
    model.setRuns(runs);
    QCOMPARE(rowsOf(model), QStringLiteral("a b c d"));
    sortBy(model, "valid/loss", Qt::AscendingOrder);
    QCOMPARE(rowsOf(model), QStringLiteral("d b a c"));
    sortBy(model, "valid/loss", Qt::DescendingOrder);
    QCOMPARE(rowsOf(model), QStringLiteral("b d a c"));
    model.sort(-1, Qt::AscendingOrder);
    QCOMPARE(rowsOf(model), QStringLiteral("a b c d"));
}

void TstRunTable::filter_leavesWhatItAsksFor()
{
    RunTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns(threeRuns());
    model.addDetails(
        detailsOf(QStringLiteral("/runs/c"), {}, { { "optimizer", "adamw" }, { "lr", "0.5" } }));
    const auto rows = [&](const char* filter) {
        return model.setFilter(QLatin1String(filter)) + rowsOf(model);
    };
    QCOMPARE(rows("wer<10"), QStringLiteral("a"));
    QCOMPARE(model.numHidden(), 2);
    QCOMPARE(rows("optimizer:adam"), QStringLiteral("c"));
    QCOMPARE(rows("lr>=0.5"), QStringLiteral("c"));
    QCOMPARE(rows("state:failed"), QStringLiteral("b"));
    QVERIFY(rows("wer<").endsWith(QStringLiteral("b"))); // what was shown stays
    QVERIFY(!model.setFilter(QStringLiteral("wer<")).isEmpty());
    QCOMPARE(rows(""), QStringLiteral("a b c"));
}

void TstRunTable::archivedRuns_areShownWhereAskedFor()
{
    std::vector<run::RunSummary> runs = threeRuns();
    runs[1].notes.isArchived = true;
    RunTableModel model;
    model.setRuns(runs);
    QCOMPARE(rowsOf(model), QStringLiteral("a c"));
    model.setArchivedShown(true);
    QCOMPARE(rowsOf(model), QStringLiteral("a b c"));
    runs[0].notes.isArchived = true;
    model.setArchivedShown(false);
    model.setRuns(runs);
    QCOMPARE(rowsOf(model), QStringLiteral("c"));
}

void TstRunTable::columns_areKeysAndMetrics()
{
    std::vector<run::RunSummary> runs = threeRuns();
    runs[0].metrics = { { "valid/loss", 1.25 } };
    RunTableModel model;
    model.setRuns(runs);
    model.addDetails(detailsOf(QStringLiteral("/runs/a"), {}, { { "lr", "0.10" } }, 2048));
    QCOMPARE(model.possibleColumns(),
        QStringList({ QStringLiteral("lr"), QStringLiteral("valid/loss") }));
    model.setColumns({ QStringLiteral("name"), QStringLiteral("lr"), QStringLiteral("valid/loss"),
        QStringLiteral("wer"), QStringLiteral("size") });
    QCOMPARE(cell(model, 0, "lr"), QStringLiteral("0.10")); // as the recipe has it
    QCOMPARE(cell(model, 0, "valid/loss"), QStringLiteral("1.25"));
    QCOMPARE(cell(model, 0, "wer"), QStringLiteral("9.00"));
    QVERIFY(cell(model, 0, "size").startsWith(QStringLiteral("2")));
    QCOMPARE(cell(model, 1, "lr"), QString());
    QCOMPARE(cell(model, 1, "size"), QString());
    QCOMPARE(cell(model, 2, "wer"), QString());
}

void TstRunTable::names_sayWhatDiffers()
{
    std::vector<run::RunSummary> runs = threeRuns();
    runs[2].name = "other";
    RunTableModel model;
    model.setRuns(runs);
    model.addDetails(detailsOf(QStringLiteral("/runs/a"), { "seed=13", "lr=1", "epochs=3" }, {}));
    model.addDetails(detailsOf(QStringLiteral("/runs/b"), { "seed=14", "lr=1" }, {}));
    model.addDetails(detailsOf(QStringLiteral("/runs/c"), { "dim=8" }, {}));
    QCOMPARE(cell(model, 0, "name"), QStringLiteral("demo · seed=13, epochs=3"));
    QCOMPARE(cell(model, 1, "name"), QStringLiteral("demo · seed=14"));
    QCOMPARE(cell(model, 1, "differs"), QStringLiteral("seed=14"));
    QCOMPARE(cell(model, 2, "name"), QStringLiteral("other · dim=8")); // the only one of its recipe
    runs[0].notes.name = "The best";
    model.setRuns(runs);
    QCOMPARE(cell(model, 0, "name"), QStringLiteral("The best"));
    QCOMPARE(cell(model, 0, "differs"), QStringLiteral("seed=13, epochs=3"));
}

void TstRunTable::newListing_keepsRowsInPlace()
{
    std::vector<run::RunSummary> runs = threeRuns();
    RunTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns(runs);
    model.addDetails(detailsOf(QStringLiteral("/runs/c"), { "seed=1" }, {}));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    runs[2].step = 30;
    model.setRuns(runs);
    QCOMPARE(resets.size(), 0);
    QCOMPARE(cell(model, 2, "step"), QStringLiteral("30"));
    QCOMPARE(cell(model, 2, "differs"), QStringLiteral("seed=1")); // what was read stays
    runs.erase(runs.begin());
    model.setRuns(runs);
    QCOMPARE(rowsOf(model), QStringLiteral("b c"));
    runs.insert(runs.begin(), summaryOf("new", run::State::Queued));
    model.setRuns(runs);
    QCOMPARE(rowsOf(model), QStringLiteral("new b c"));
    model.setRuns({});
    QCOMPARE(model.rowCount(), 0);
}

void TstRunTable::typedNotes_areTold()
{
    RunTableModel model;
    std::vector<run::RunSummary> runs = threeRuns();
    runs[0].notes.notes = "kept";
    model.setRuns(runs);
    QSignalSpy edited(&model, &RunTableModel::notesEdited);
    const auto tags = static_cast<int>(model.columns().indexOf(QStringLiteral("tags")));
    QVERIFY(model.setData(model.index(0, tags), QStringLiteral("best,  paper ,"), Qt::EditRole));
    QCOMPARE(edited.at(0).at(0).toString(), QStringLiteral("/runs/a"));
    const auto notes = edited.at(0).at(1).value<run::RunNotes>();
    QVERIFY((notes == run::RunNotes { .tags = { "best", "paper" }, .notes = "kept" }));
    QVERIFY(!model.setData(model.index(0, tags), QString(), Qt::EditRole)); // as it is
    const auto state = static_cast<int>(model.columns().indexOf(QStringLiteral("state")));
    QVERIFY(!model.setData(model.index(0, state), QStringLiteral("done"), Qt::EditRole));
    QCOMPARE(edited.size(), 1);
}

void TstRunTable::capsule_isNotEdited()
{
    std::vector<run::RunSummary> runs = threeRuns();
    runs[0].capsule = "/capsules/a.earwright";
    runs[1].notesError = "damaged";
    RunTableModel model;
    model.setRuns(runs);
    QVERIFY(!model.flags(model.index(0, 0)).testFlag(Qt::ItemIsEditable));
    QVERIFY(!model.flags(model.index(1, 0)).testFlag(Qt::ItemIsEditable));
    QVERIFY(model.flags(model.index(2, 0)).testFlag(Qt::ItemIsEditable));
}

EARWRIGHT_TEST(TstRunTable)
#include "tst_run_table.moc"
