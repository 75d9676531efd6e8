#include "core/recipe/resolve.h"
#include "tests/registry.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/runs_page.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::ui;

/// The page of all runs, over run folders on the disk.
class TstRunsPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void details_areReadInTheBackground();
    void filter_isTypedAndItsErrorsAreSaid();
    void notes_areWrittenAndListedAgain();
    void trashedRun_comesBack();
    void runAtWork_isNotTrashed();
    void newListing_keepsTheSelection();

private:
    void addRun(const char* name, const char* override);
    void list();
    QTableView* table() const { return m_page->findChild<QTableView*>(QStringLiteral("runTable")); }
    QString message() const
    {
        return m_page->findChild<QLabel*>(QStringLiteral("runsMessage"))->text();
    }
    QString cell(int row, const char* id) const
    {
        const auto column = static_cast<int>(m_page->columns().indexOf(QLatin1String(id)));
        return m_page->model()->index(row, column).data().toString();
    }

    std::unique_ptr<QTemporaryDir> m_root;
    QByteArray m_dataHome;
    std::unique_ptr<RunListModel> m_runs;
    std::unique_ptr<RunsPage> m_page;
};

void TstRunsPage::init()
{
    m_root = std::make_unique<QTemporaryDir>();
    m_dataHome = qgetenv("XDG_DATA_HOME"); // where the trash is
    qputenv("XDG_DATA_HOME", m_root->filePath(QStringLiteral("data")).toUtf8());
    QDir().mkpath(m_root->filePath(QStringLiteral("data")));
    addRun("a", "--seed=1");
    addRun("b", "--seed=2");
    m_runs = std::make_unique<RunListModel>();
    list();
    m_page = std::make_unique<RunsPage>(*m_runs);
    connect(m_page.get(), &RunsPage::runsChanged, this, &TstRunsPage::list);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    QTRY_COMPARE(m_page->model()->rowCount(), 2);
}

void TstRunsPage::cleanup()
{
    m_page.reset();
    m_runs.reset();
    if (m_dataHome.isEmpty())
        qunsetenv("XDG_DATA_HOME");
    else
        qputenv("XDG_DATA_HOME", m_dataHome);
}

void TstRunsPage::addRun(const char* name, const char* override)
{
    plan::Plan plan;
    plan.name = "demo";
    plan.recipeFile = "demo.yaml";
    plan.recipeText = "lr: 0.1\n";
    plan.overrides = { override };
    plan.recipe = recipe::resolve(plan.recipeText, "demo.yaml", {}).root;
    plan.devices = { "cpu" };
    const QString path = m_root->filePath(QStringLiteral("runs/") + QLatin1String(name));
    QVERIFY(run::createRunFolder(path.toStdString(), plan));
}

/// Alphabetically, whatever the clock says.
void TstRunsPage::list()
{
    auto runs = run::listRuns(m_root->filePath(QStringLiteral("runs")).toStdString());
    QVERIFY(runs);
    std::sort(runs->begin(), runs->end(),
        [](const auto& a, const auto& b) { return a.folder.path < b.folder.path; });
    m_runs->setRuns(*runs);
}

void TstRunsPage::details_areReadInTheBackground()
{
    QTRY_COMPARE(cell(0, "differs"), QStringLiteral("seed=1"));
    QVERIFY(!cell(0, "size").isEmpty());
    QCOMPARE(m_page->model()->possibleColumns(), QStringList({ QStringLiteral("lr") }));
    m_page->setColumns({ QStringLiteral("name"), QStringLiteral("lr") });
    QCOMPARE(cell(1, "lr"), QStringLiteral("0.1"));
    QCOMPARE(cell(1, "name"), QStringLiteral("b · seed=2")); // never started
}

void TstRunsPage::filter_isTypedAndItsErrorsAreSaid()
{
    auto* filter = m_page->findChild<QLineEdit*>(QStringLiteral("runFilter"));
    QTRY_COMPARE(cell(1, "differs"), QStringLiteral("seed=2"));
    QTest::keyClicks(filter, QStringLiteral("seed=2"));
    QCOMPARE(m_page->model()->rowCount(), 1);
    filter->setText(QStringLiteral("lr<"));
    QVERIFY(message().contains(QStringLiteral("'lr<'")));
    QCOMPARE(m_page->model()->rowCount(), 1);
    filter->clear();
    QVERIFY(message().isEmpty());
    QCOMPARE(m_page->model()->rowCount(), 2);
}

void TstRunsPage::notes_areWrittenAndListedAgain()
{
    RunTableModel* model = m_page->model();
    const auto tags = static_cast<int>(model->columns().indexOf(QStringLiteral("tags")));
    QVERIFY(model->setData(model->index(0, tags), QStringLiteral("best"), Qt::EditRole));
    QTRY_COMPARE(cell(0, "tags"), QStringLiteral("best"));
    QVERIFY(model->setData(model->index(0, tags), QStringLiteral("two words"), Qt::EditRole));
    QTRY_VERIFY(message().contains(QStringLiteral("'two words'")));
    QCOMPARE(cell(0, "tags"), QStringLiteral("best"));
    table()->selectRow(1);
    m_page->archiveSelected(true);
    QTRY_COMPARE(model->rowCount(), 1);
    QCOMPARE(cell(0, "tags"), QStringLiteral("best"));
}

void TstRunsPage::trashedRun_comesBack()
{
    const QString path = m_root->filePath(QStringLiteral("runs/a"));
    table()->selectRow(0);
    m_page->trashSelected();
    QTRY_VERIFY(!message().isEmpty());
    if (QFileInfo::exists(path))
        QSKIP(qPrintable(message())); // a file system without a trash
    QTRY_COMPARE(m_page->model()->rowCount(), 1);
    auto* undo = m_page->findChild<QPushButton*>(QStringLiteral("undoTrash"));
    QVERIFY(undo->isVisible());
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_COMPARE(m_page->model()->rowCount(), 2);
    QVERIFY(run::isRunFolder(path.toStdString()));
    QVERIFY(!undo->isVisible());
}

void TstRunsPage::runAtWork_isNotTrashed()
{
    const run::RunFolder folder { m_root->filePath(QStringLiteral("runs/a")).toStdString() };
    const auto pid = static_cast<int64_t>(QCoreApplication::applicationPid());
    QVERIFY(run::writeLock(
        folder, { pid, run::processStartTicks(pid), "/tmp/none.sock", run::hostName() }));
    const Trashing trashing = moveToTrash({ QString::fromStdString(folder.path.string()) });
    QVERIFY(trashing.done.empty());
    QVERIFY(trashing.error.contains(QStringLiteral("stop it")));
    QVERIFY(run::isRunFolder(folder.path));
}

void TstRunsPage::newListing_keepsTheSelection()
{
    table()->selectRow(1);
    const QStringList selected = m_page->selectedRuns();
    QCOMPARE(selected.size(), 1);
    addRun("0-first", "--seed=3");
    list();
    QTRY_COMPARE(m_page->model()->rowCount(), 3);
    QCOMPARE(m_page->selectedRuns(), selected);
    QSignalSpy compared(m_page.get(), &RunsPage::compareRequested);
    table()->actions().first()->trigger();
    QCOMPARE(compared.takeFirst().at(0).toStringList(), selected);
}

EARWRIGHT_TEST(TstRunsPage)
#include "tst_runs_page.moc"
