#include <QTemporaryDir>
#include <QTest>

#include "core/recipe/resolve.h"
#include "core/run/run_folder.h"
#include "tests/engine/program.h"
#include "tests/registry.h"

#include <nlohmann/json.hpp>

using namespace earwright;
using namespace earwright::tests;

/// `earwright label`, and the lists of `earwright runs` that ask for labels.
class TstLabel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void labels_areListedAndFilteredBy();
    void archivedRun_isListedWhereAskedFor();
    void wrongWords_areRefused();

private:
    void addRun(const char* name, const char* recipe) const;
    QStringList listed(const QStringList& options) const; ///< names of the folders

    std::unique_ptr<QTemporaryDir> m_root;
};

void TstLabel::init()
{
    m_root = std::make_unique<QTemporaryDir>();
    addRun("small", "lr: 0.1\n");
    addRun("large", "lr: 0.5\n");
}

void TstLabel::addRun(const char* name, const char* recipe) const
{
    plan::Plan plan;
    plan.name = name;
    plan.recipeFile = "demo.yaml";
    plan.recipeText = recipe;
    plan.recipe = recipe::resolve(plan.recipeText, "demo.yaml", {}).root;
    plan.devices = { "cpu" };
    QVERIFY(run::createRunFolder(m_root->filePath(QLatin1String(name)).toStdString(), plan));
}

QStringList TstLabel::listed(const QStringList& options) const
{
    const Ended ended = runEarwright(
        QStringList { "runs", "--format", "json", "--runs-dir", m_root->path() } + options);
    QStringList names;
    for (const auto& run : nlohmann::json::parse(ended.output.toStdString()))
        names << QString::fromStdString(run["path"]).section('/', -1);
    names.sort();
    return names;
}

void TstLabel::labels_areListedAndFilteredBy()
{
    QCOMPARE(listed({}), QStringList({ "large", "small" }));
    const Ended ended = runEarwright({ "label", "large", "--tag", "best,paper", "--note",
        "two words", "--name", "The large one", "--runs-dir", m_root->path() });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QCOMPARE(listed({ "--tag", "best" }), QStringList({ "large" }));
    QCOMPARE(listed({ "--filter", "two" }), QStringList({ "large" }));
    QCOMPARE(listed({ "--filter", "lr<0.2" }), QStringList({ "small" }));
    QCOMPARE(listed({ "--filter", "lr>0.2 tag:paper" }), QStringList({ "large" }));
    const QString table = runEarwright({ "runs", "--runs-dir", m_root->path() }).output;
    QVERIFY2(table.contains("best,paper") && table.contains("The large one"), qPrintable(table));
    QCOMPARE(
        runEarwright({ "label", "large", "small", "--untag", "best", "--runs-dir", m_root->path() })
            .code,
        0);
    QCOMPARE(listed({ "--tag", "best" }), QStringList());
    QCOMPARE(listed({ "--tag", "paper" }), QStringList({ "large" }));
}

void TstLabel::archivedRun_isListedWhereAskedFor()
{
    QCOMPARE(runEarwright({ "label", "small", "--archive", "--runs-dir", m_root->path() }).code, 0);
    QCOMPARE(listed({}), QStringList({ "large" }));
    QCOMPARE(listed({ "--archived" }), QStringList({ "large", "small" }));
    QVERIFY(runEarwright({ "runs", "--runs-dir", m_root->path() })
                .errors.contains("1 archived run is not listed"));
    QCOMPARE(
        runEarwright({ "label", "small", "--unarchive", "--runs-dir", m_root->path() }).code, 0);
    QCOMPARE(listed({}), QStringList({ "large", "small" }));
}

void TstLabel::wrongWords_areRefused()
{
    const auto said = [this](QStringList words) {
        const Ended ended = runEarwright(words << "--runs-dir" << m_root->path());
        return ended.code == 0 ? QString() : ended.errors;
    };
    QVERIFY(said({ "label", "small" }).contains("nothing to change"));
    QVERIFY(said({ "label", "small", "--archive", "--unarchive" }).contains("not both"));
    QVERIFY(said({ "label", "small", "--tag", "two words" }).contains("one word"));
    QVERIFY(said({ "runs", "--filter", "wer<x" }).contains("'wer<x'"));
    QVERIFY(said({ "runs", "small", "--tag", "best" }).contains("list of runs"));
}

EARWRIGHT_TEST(TstLabel)
#include "tst_label.moc"
