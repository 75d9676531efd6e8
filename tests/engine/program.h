#pragma once

#include "core/run/control.h"
#include "core/run/follower.h"
#include "tests/prompts.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <map>

namespace earwright::tests {

/// How a program ended.
struct Ended {
    int code = -1;
    QString output;
    QString errors;
};

inline QString earwrightProgram()
{
    return QCoreApplication::applicationDirPath() + "/earwright";
}

inline Ended runEarwright(const QStringList& arguments)
{
    QProcess process;
    process.start(earwrightProgram(), arguments);
    process.waitForFinished(600000);
    return { process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError()) };
}

/// What `earwright COMMAND RUN` asks of the supervisor, at once: a program's start may take longer
/// than what it is to be asked in. False where it is refused.
inline bool ask(const QString& run, const QString& command, double value = 0)
{
    QJsonObject request { { "command", command } };
    if (value > 0)
        request["value"] = value;
    const auto lock = run::liveLock({ run.toStdString() });
    const auto answer = lock
        ? run::sendControl(lock->socket,
            QJsonDocument(request).toJson(QJsonDocument::Compact).toStdString(), 60000)
        : Error { "it is not running" };
    if (!answer)
        qWarning("%s: %s", qPrintable(command), answer.error().message.c_str());
    return answer && QJsonDocument::fromJson(QByteArray::fromStdString(*answer))["ok"].toBool();
}

/// A variable of a process's environment.
inline QByteArray variableOf(int pid, const QByteArray& name)
{
    QFile file(QString("/proc/%1/environ").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    for (const QByteArray& entry : file.readAll().split('\0')) {
        if (entry.startsWith(name + "="))
            return entry.mid(name.size() + 1);
    }
    return {};
}

/// The processes `earwright COMMAND RUN` (of no launcher that names the same words). `command` may
/// be "(rank|keep)": the ranks and what keeps their store.
inline QList<int> processesOf(const QString& run, const QString& command)
{
    QProcess find;
    find.start("pgrep", { "-f", "^[^ ]*earwright " + command + " " + run + "$" });
    find.waitForFinished();
    QList<int> pids;
    for (const QByteArray& pid : find.readAllStandardOutput().split('\n')) {
        if (!pid.isEmpty())
            pids.append(pid.toInt());
    }
    return pids;
}

/// In the order of the ranks.
inline QList<int> ranksOf(const QString& run)
{
    QList<int> pids = processesOf(run, "rank");
    std::sort(pids.begin(), pids.end(),
        [](int a, int b) { return variableOf(a, "RANK").toInt() < variableOf(b, "RANK").toInt(); });
    return pids;
}

inline run::Snapshot snapshotOf(const QString& run)
{
    run::Follower follower(run::RunFolder { run.toStdString() });
    const auto read = follower.poll();
    return read ? follower.snapshot() : run::Snapshot();
}

/// Losses by step.
inline std::map<int64_t, double> lossesOf(const QString& run)
{
    std::map<int64_t, double> losses;
    const run::Snapshot snapshot = snapshotOf(run);
    const auto series = snapshot.series.find("train/loss");
    if (series != snapshot.series.end()) {
        for (const run::Point& point : series->second.points())
            losses[point.step] = point.value;
    }
    return losses;
}

inline constexpr const char* kNoRealData = "no real speech is here: packaging/setup.sh installs "
                                           "the demo's prompts, or set EARWRIGHT_DATA_DIR "
                                           "to a folder with a prepared fsdd";

/// A recipe of configs/ and the folder with its real speech.
struct RealData {
    QString recipe;
    QString folder;
    int epochs = 0; ///< enough to see it learn
    double werBound = 0; ///< percent, that two ranks pass on the test split after so many epochs
    double cerBound = 0; ///< likewise
};

/// The digit strings below EARWRIGHT_DATA_DIR, else the telephone prompts of the system, prepared
/// into `scratch`. Empty where there are neither.
inline RealData realData(const QString& scratch)
{
    const QString digits = qEnvironmentVariable("EARWRIGHT_DATA_DIR") + "/fsdd";
    if (QFile::exists(digits + "/train.csv"))
        return { EARWRIGHT_SOURCE_DIR "/configs/fsdd/ctc_conv.yaml", digits, 6, 60, 35 };
    const QString prompts = scratch + "/prompts";
    const Ended prepared = runEarwright({ "prepare", "prompts", "--lang", "en", "--transcripts",
        promptTranscripts(), "--out", prompts });
    return prepared.code == 0
        ? RealData { EARWRIGHT_SOURCE_DIR "/configs/demo/ctc_prompts_en.yaml", prompts, 16, 99, 55 }
        : RealData {};
}

} // namespace earwright::tests
