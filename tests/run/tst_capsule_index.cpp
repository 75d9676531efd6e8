#include "core/base/file.h"
#include "core/run/capsule.h"
#include "core/run/zip_archive.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;

/// A capsule comes from anybody: what its index says is read by type and range.
class TstCapsuleIndex final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hostileIndex_isRefusedInWords_data()
    {
        QTest::addColumn<QString>("index");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* index, const char* words) {
            QTest::newRow(name) << QString::fromUtf8(index) << QString::fromUtf8(words);
        };
        row("no JSON", "{", "capsule.json: not a JSON object");
        row("list", "[1]", "capsule.json: not a JSON object");
        row("no version", R"({"checkpoint": "c", "files": {}})", "'earwright_capsule' is missing");
        row("version as a text", R"({"earwright_capsule": "1", "checkpoint": "c", "files": {}})",
            "'earwright_capsule' has the wrong type");
        row("newer", R"({"earwright_capsule": 2})", "a newer Earwright (version 2)");
        row("negative version", R"({"earwright_capsule": -1, "checkpoint": "c", "files": {}})",
            "'earwright_capsule' is -1");
        row("checkpoint as a list", R"({"earwright_capsule": 1, "checkpoint": [], "files": {}})",
            "'checkpoint' has the wrong type");
        row("no files", R"({"earwright_capsule": 1, "checkpoint": "c"})", "'files' must be");
        row("files as a list", R"({"earwright_capsule": 1, "checkpoint": "c", "files": [1]})",
            "'files' is no object");
        row("file as a number", R"({"earwright_capsule": 1, "checkpoint": "c", "files": {"a": 1}})",
            "'files.a' is no object");
        row("no checksum",
            R"({"earwright_capsule": 1, "checkpoint": "c", "files": {"a": {"bytes": 1}}})",
            "'files.a.sha256' is missing");
        row("size as a text",
            R"({"earwright_capsule": 1, "checkpoint": "c", "files": {"a": {"bytes": "1", "sha256": ""}}})",
            "'files.a.bytes' has the wrong type");
        row("file elsewhere",
            R"({"earwright_capsule": 1, "checkpoint": "c", "files": {"../a": {"bytes": 1, "sha256": ""}}})",
            "'../a', which is no file of a run");
    }

    void hostileIndex_isRefusedInWords()
    {
        QFETCH(QString, index);
        QFETCH(QString, words);
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        QVERIFY(writeFileAtomically(path / "capsule.json", index.toStdString()));
        QVERIFY(run::writeZip(path / "model.earwright", "top", path, { "capsule.json" }));
        const auto capsule = run::Capsule::open(path / "model.earwright");
        QVERIFY(!capsule);
        QVERIFY2(capsule.error().message.find(words.toStdString()) != std::string::npos,
            capsule.error().message.c_str());
    }
};

EARWRIGHT_TEST(TstCapsuleIndex)
#include "tst_capsule_index.moc"
