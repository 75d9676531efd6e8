#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "core/run/run_folder.h"
#include "core/run/run_notes.h"
#include "core/run/run_settings.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::run;

namespace {

RunFolder plannedRun(const QTemporaryDir& root, const char* name = "demo")
{
    plan::Plan plan;
    plan.name = name;
    plan.recipeFile = "demo.yaml";
    plan.recipeText = "lr: 0.1\nbetas: [0.9, 0.98]\nopts:\n  warmup: 30\nnet: !new:x.Y\n  dim: 4\n";
    plan.overrides = { "--lr=0.1", "++seed=3" };
    plan.recipe = recipe::resolve(plan.recipeText, "demo.yaml", {}).root;
    plan.devices = { "cpu" };
    const Result<RunFolder> folder
        = createRunFolder(std::filesystem::path(root.path().toStdString()) / name, plan);
    if (!folder)
        qFatal("%s", folder.error().message.c_str());
    return *folder;
}

} // namespace

class TstRunNotes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void notes_comeBackAsTheyWereWritten()
    {
        const QTemporaryDir root;
        const RunFolder folder = plannedRun(root);
        QVERIFY(*readNotes(folder) == RunNotes {});
        const RunNotes written { .name = "中文 run",
            .tags = { "best", "fp16" },
            .notes = "two\nlines \"quoted\"",
            .isArchived = true };
        QVERIFY(
            writeNotes(folder, { written.name, { "fp16", "best", "fp16" }, written.notes, true }));
        QVERIFY(*readNotes(folder) == written);
        const auto runs = listRuns(root.path().toStdString());
        QVERIFY(runs->at(0).notes == written);
    }

    void edit_keepsWhatItDoesNotTouch()
    {
        const QTemporaryDir root;
        const RunFolder folder = plannedRun(root);
        QVERIFY(editNotes(folder, [](RunNotes& notes) { notes.notes = "kept"; }));
        QVERIFY(editNotes(folder, [](RunNotes& notes) { addTag(notes, "best"); }));
        QVERIFY(editNotes(folder, [](RunNotes& notes) { addTag(notes, "a"); }));
        QVERIFY(editNotes(folder, [](RunNotes& notes) { removeTag(notes, "best"); }));
        QVERIFY((*readNotes(folder) == RunNotes { .tags = { "a" }, .notes = "kept" }));
    }

    void whatCannotBeANote_isRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("tag");
        QTest::addColumn<QString>("said");
        QTest::newRow("blank") << ""
                               << "two words"
                               << "write it as one word";
        QTest::newRow("comma") << ""
                               << "a,b"
                               << "write it as one word";
        QTest::newRow("empty") << ""
                               << ""
                               << "write it as one word";
        QTest::newRow("lines") << "a\nb"
                               << "tag"
                               << "more than one line";
    }

    void whatCannotBeANote_isRefused()
    {
        QFETCH(QString, name);
        QFETCH(QString, tag);
        QFETCH(QString, said);
        const QTemporaryDir root;
        const RunFolder folder = plannedRun(root);
        const Status written
            = writeNotes(folder, { .name = name.toStdString(), .tags = { tag.toStdString() } });
        QVERIFY(!written);
        QVERIFY2(QString::fromStdString(written.error().message).contains(said),
            written.error().message.c_str());
        QVERIFY(!isFile(folder.path / "notes.json"));
    }

    void damagedNotes_areToldAndKeepTheRunInTheList()
    {
        const QTemporaryDir root;
        const RunFolder folder = plannedRun(root);
        for (const char* text :
            { "{", "{\"version\": 9}", "{\"version\": 1, \"tags\": 3}", "{}" }) {
            QVERIFY(writeFileAtomically(folder.path / "notes.json", text));
            const Result<RunNotes> notes = readNotes(folder);
            QVERIFY2(!notes, text);
            QVERIFY(notes.error().message.find("notes.json") != std::string::npos);
            const auto runs = listRuns(root.path().toStdString());
            QCOMPARE(runs->size(), size_t { 1 });
            QCOMPARE(runs->at(0).notesError, notes.error().message);
            QVERIFY2(!editNotes(folder, [](RunNotes&) {}), "what is damaged is not overwritten");
        }
    }

    void settings_areTheRecipesKeysAndOverrides()
    {
        const QTemporaryDir root;
        const Result<RunSettings> settings = readSettings(plannedRun(root));
        QVERIFY(settings);
        QVERIFY((settings->overrides == std::vector<std::string> { "lr=0.1", "seed=3" }));
        QVERIFY((settings->keys
            == std::map<std::string, std::string> {
                { "betas", "[0.9, 0.98]" }, { "lr", "0.1" }, { "opts.warmup", "30" } }));
        QVERIFY(!readSettings(RunFolder { root.path().toStdString() }));
    }

    void whatDiffers_isWhatNotAllHave()
    {
        QVERIFY(
            (whatDiffers({ { "seed=13", "epochs=3" }, { "epochs=3", "seed=14" }, { "epochs=3" } })
                == std::vector<std::string> { "seed=13", "seed=14", "" }));
        QVERIFY((whatDiffers({ { "seed=13", "epochs=3" } })
            == std::vector<std::string> { "seed=13, epochs=3" }));
        QVERIFY((whatDiffers({ { "a=1", "a=1" }, { "a=2" } })
            == std::vector<std::string> { "a=1, a=1", "a=2" }));
        QVERIFY(whatDiffers({}).empty());
    }
};

EARWRIGHT_TEST(TstRunNotes)
#include "tst_run_notes.moc"
