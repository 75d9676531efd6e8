#include "tests/engine/before_rename.h"
#include "tests/engine/program.h"
#include "tests/registry.h"

#include <pty.h>
#include <QTemporaryDir>
#include <sys/wait.h>
#include <unistd.h>

using namespace earwright::tests;

/// What names and texts could tell a terminal to do.
class TstTerminal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void namesOfCommands_areShown_data();
    void namesOfCommands_areShown();
    void textsOfFiles_areShown_data();
    void textsOfFiles_areShown();

private:
    QTemporaryDir m_folder;
    QString m_before; ///< the working folder to go back to
};

namespace {

/// A title, a colour, and the latter as one byte of Latin-1 (in UTF-8 two).
constexpr const char* kObeyed = "\x1b]0;x\x07\x1b[31m\xc2\x9b"
                                "31m";

/// Both standard streams, as `earwright` writes them to a terminal.
QByteArray shownBy(const QStringList& words)
{
    QByteArrayList bytes { earwrightProgram().toUtf8() };
    for (const QString& word : words)
        bytes << word.toUtf8();
    std::vector<char*> argv;
    for (QByteArray& word : bytes)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    int terminal = -1;
    const pid_t pid = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (pid == 0) {
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    QByteArray shown;
    char chunk[4096];
    for (ssize_t count = 0; (count = ::read(terminal, chunk, sizeof(chunk))) > 0;)
        shown.append(chunk, count);
    ::close(terminal);
    ::waitpid(pid, nullptr, 0);
    return shown.replace("\r\x1b[K", ""); // the line of progress
}

bool isObeyed(const QByteArray& shown)
{
    for (qsizetype i = 0; i < shown.size(); ++i) {
        const auto byte = static_cast<unsigned char>(shown[i]);
        const bool isLineEnd = byte == '\n' || (byte == '\r' && shown.mid(i + 1, 1) == "\n");
        const bool isHigh = byte == 0xc2 && i + 1 < shown.size()
            && static_cast<unsigned char>(shown[i + 1]) < 0xa0;
        if (isHigh || byte == 0x7f || (byte < 0x20 && byte != '\t' && !isLineEnd))
            return true;
    }
    return false;
}

void verifyShown(const QByteArray& shown)
{
    QVERIFY(!shown.isEmpty());
    QVERIFY2(!isObeyed(shown), shown.toPercentEncoding(" \n").constData());
}

} // namespace

void TstTerminal::initTestCase()
{
    copyBeforeRename(QDir(m_folder.path()));
    m_before = QDir::currentPath();
    QDir::setCurrent(m_folder.path());
    const QByteArray obeyed = kObeyed;
    writeFile("text.yaml", "a: !ref <" + obeyed + ">\n");
    writeFile("obeyed.csv",
        "ID,duration,wav,spk_id,wrd\n" + obeyed + "1,0.4,data/u0.wav,s0," + obeyed + " A B\n2"
            + obeyed + ",0.4,none" + obeyed + ".wav,s1," + obeyed + "\n");
    QDir::current().mkpath("named");
    QVERIFY(QFile::copy("run/plan.json", "named/plan.json"));
    QVERIFY(QDir().rename("named", QString("runs/") + kObeyed));
}

void TstTerminal::cleanupTestCase()
{
    QDir::setCurrent(m_before);
}

/// Every command that --help names, with a wrong name and with a wrong option.
void TstTerminal::namesOfCommands_areShown_data()
{
    QTest::addColumn<QStringList>("words");
    const QString help = runEarwright({ "--help" }).output;
    QRegularExpressionMatchIterator found
        = QRegularExpression("^  ([a-z-]+) ", QRegularExpression::MultilineOption)
              .globalMatch(help);
    while (found.hasNext()) {
        const QString command = found.next().captured(1);
        QTest::addRow("%s name", qPrintable(command))
            << QStringList { command, kObeyed, QString("x") + kObeyed, QString("y") + kObeyed };
        if (command == "keep" || command == "lsp") // they serve
            continue;
        QTest::addRow("%s option", qPrintable(command))
            << QStringList { command, QString("--") + kObeyed };
        QTest::addRow("%s one name", qPrintable(command)) << QStringList { command, kObeyed };
    }
    QVERIFY(help.contains("transcribe"));
    QTest::newRow("no command") << QStringList { kObeyed };
}

void TstTerminal::namesOfCommands_areShown()
{
    QFETCH(QStringList, words);
    verifyShown(shownBy(words)); // not all say the name
}

void TstTerminal::textsOfFiles_areShown_data()
{
    QTest::addColumn<QStringList>("words");
    const auto row
        = [](const char* name, const QStringList& words) { QTest::newRow(name) << words; };
    row("check, references", { "check", "text.yaml" });
    row("check, a manifest", { "check", "recipe.yaml", "--train_csv=obeyed.csv" });
    row("explain", { "explain", "recipe.yaml", "--name=" + QString(kObeyed) });
    row("resolve", { "resolve", "text.yaml" });
    row("prepare", { "prepare", "csv", "--csv", QString("none") + kObeyed, "--out", "made" });
    row("plan", { "plan", "recipe.yaml", "--run-dir", QString("p") + kObeyed });
    row("runs", { "runs", "--runs-dir", "runs" });
    row("train",
        { "train", "recipe.yaml", "--devices", "cpu", "--run-dir", QString("t") + kObeyed });
    row("transcribe", { "transcribe", "run", "obeyed.csv", "--device", "cpu" });
    row("transcribe, errors",
        { "transcribe", "run", "obeyed.csv", "--device", "cpu", "--out", QString("n/") + kObeyed });
    row("lm", { "lm", "data/train.csv", "--order", "2", "--out", QString("lm") + kObeyed });
    row("export", { "export", "run", QString("x") + kObeyed + ".zip" });
}

void TstTerminal::textsOfFiles_areShown()
{
    QFETCH(QStringList, words);
    const QByteArray shown = shownBy(words);
    verifyShown(shown);
    QVERIFY2(shown.contains("\\x1b"), shown.constData());
}

EARWRIGHT_TEST(TstTerminal)
#include "tst_terminal.moc"
