#include "core/check/known_keys.h"
#include "core/settings/manifest_keys.h"
#include "core/settings/optimizer_settings.h"
#include "core/tasks/spec.h"
#include "tests/registry.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace earwright;
using namespace earwright::check;

namespace {

/// Words in quotes of the sources that may read a recipe's keys: not the table of known keys, nor
/// what only writes recipes.
QSet<QString> quotedInCore()
{
    static const QRegularExpression quoted("\"(\\w+)\"");
    QSet<QString> words;
    QDirIterator sources(QStringLiteral(EARWRIGHT_SOURCE_DIR "/core"), { "*.h", "*.cpp" },
        QDir::Files, QDirIterator::Subdirectories);
    while (sources.hasNext()) {
        const QString path = sources.next();
        if (path.endsWith("/check/known_keys.cpp") || path.contains("/adapter/")
            || path.contains("/language/"))
            continue;
        QFile file(path);
        if (!file.open(QFile::ReadOnly))
            qFatal("cannot read %s", qPrintable(path));
        for (auto found = quoted.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();)
            words << found.next().captured(1);
    }
    return words;
}

/// What one of the settings' readers says that it reads.
struct Owned {
    settings::Reader reader;
    Names keys;
};

} // namespace

/// What `earwright explain` says of who reads a key.
class TstKnownKeys final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKey_hasAReader();
    void keyOfAReader_isNamedAfterIt();
};

void TstKnownKeys::everyKey_hasAReader()
{
    QSet<QString> read = quotedInCore();
    for (const char* split : { "train", "valid", "test" }) // composed of the split
        for (const std::string& key : settings::manifestKeys(split))
            read << QString::fromStdString(key);
    read << "prepare_noise_data"; // known by its class
    QVERIFY(!read.contains("a_key_of_nobody"));
    QStringList lost;
    int ours = 0;
    for (const settings::KnownKey& key : knownKeys()) {
        QVERIFY2(readerOf(key.name), key.name);
        ours += key.reader.isOurs() ? 1 : 0;
        if (key.reader.isOurs() && !read.contains(key.name))
            lost << key.name;
    }
    QCOMPARE(lost, QStringList());
    QVERIFY(ours > 100);
}

void TstKnownKeys::keyOfAReader_isNamedAfterIt()
{
    const Owned all[] = {
        { settings::kManifestReader, settings::manifestKeys("train") },
        { settings::kManifestReader, settings::manifestKeys("valid") },
        { settings::kManifestReader, settings::manifestKeys("test") },
        { settings::kOptimizerReader, settings::optimizerKeys() },
        { settings::kOptimizerReader, settings::encoderOptimizerKeys() },
        { settings::kScheduleReader, settings::scheduleKeys() },
        { settings::kScheduleReader, settings::encoderScheduleKeys() },
    };
    for (const Owned& owned : all)
        for (const std::string& key : owned.keys) {
            const settings::KnownKey* const known = findKnownKey(key);
            QVERIFY2(known, key.c_str());
            QVERIFY2(known->reader == owned.reader, key.c_str());
        }
}

EARWRIGHT_TEST(TstKnownKeys)
#include "tst_known_keys.moc"
