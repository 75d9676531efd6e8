#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "core/catalog/catalog.h"
#include "core/check/known_keys.h"
#include "core/settings/manifest_keys.h"
#include "core/tasks/spec.h"
#include "core/train/task/task.h"
#include "tests/registry.h"

#include <algorithm>

using namespace earwright;

/// What the tasks say of themselves holds together, and nobody else names them.
class TstSpecs final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySpec_hasATask();
    void everyKey_isKnown();
    void everyKeyOfAManifest_isEnough();
    void otherFolders_nameNoTask();
};

void TstSpecs::everySpec_hasATask()
{
    QStringList specs, makers;
    for (const tasks::Spec& spec : tasks::specs())
        specs << QString::fromStdString(spec.name);
    for (const train::TaskMaker& maker : train::taskMakers())
        makers << QString::fromStdString(maker.name);
    QCOMPARE(makers, specs);
    QVERIFY(specs.contains("ctc"));
    QCOMPARE(int(std::count_if(tasks::specs().begin(), tasks::specs().end(),
                 [](const tasks::Spec& spec) { return spec.foreign.isOfAllOthers; })),
        1);
}

void TstSpecs::everyKey_isKnown()
{
    for (const tasks::Spec& spec : tasks::specs()) {
        std::vector<Names> lists { spec.layerKeys, spec.built, spec.ownKeys, spec.ownOverrides,
            spec.searchKeys };
        for (const tasks::Needed& needed : spec.needed)
            lists.push_back(needed.keys);
        for (const Names& list : lists)
            for (const std::string& key : list)
                QVERIFY2(check::readerOf(key), (spec.name + ": " + key).c_str());
    }
}

void TstSpecs::everyKeyOfAManifest_isEnough()
{
    for (const tasks::Spec& spec : tasks::specs())
        for (const char* split : { "train", "valid" })
            for (const std::string& key : settings::manifestKeys(split))
                QVERIFY2(std::any_of(spec.needed.begin(), spec.needed.end(),
                             [&](const tasks::Needed& needed) {
                                 return std::find(needed.keys.begin(), needed.keys.end(), key)
                                     != needed.keys.end();
                             }),
                    (spec.name + ": " + key).c_str());
}

/// "ctc" is a key of recipes too.
void TstSpecs::otherFolders_nameNoTask()
{
    const QRegularExpression name("\"(ctc_attention|paraformer|seaco_paraformer|sense_voice)\"|"
                                  "(task(\\.|->)name|\"task\"\\)) [!=]= ");
    QStringList wrong;
    int files = 0;
    for (const char* root : { "app", "core", "ui" }) {
        QDirIterator sources(QStringLiteral(EARWRIGHT_SOURCE_DIR "/") + root, { "*.h", "*.cpp" },
            QDir::Files, QDirIterator::Subdirectories);
        while (sources.hasNext()) {
            QFile file(sources.next());
            QVERIFY(file.open(QFile::ReadOnly));
            ++files;
            if (name.match(QString::fromUtf8(file.readAll())).hasMatch()
                && !file.fileName().contains("/core/tasks/"))
                wrong << file.fileName();
        }
    }
    QVERIFY(files > 500);
    wrong.removeOne(EARWRIGHT_SOURCE_DIR "/core/adapter/adapt.cpp"); // a key of WeNet's
    QCOMPARE(wrong, QStringList());
}

EARWRIGHT_TEST(TstSpecs)
#include "tst_specs.moc"
