#include "ui/launch/run_starter.h"

#include "core/run/run_folder.h"
#include "ui/launch/earwright_program.h"
#include "ui/launch/translated.h"
#include "ui/widgets/path_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>

namespace earwright::ui {
namespace {

const QString kLaunchLog = QStringLiteral("/studio-launch.log");

Error failure(const QString& text)
{
    return Error { text.toStdString() };
}

void addOption(QStringList& arguments, const QString& name, const QString& value)
{
    if (!value.isEmpty())
        arguments << name << value;
}

QStringList runOptions(const LaunchRequest& request)
{
    QStringList options;
    addOption(options, QStringLiteral("--devices"), request.devices);
    addOption(options, QStringLiteral("--precision"), request.precision);
    addOption(options, QStringLiteral("--eval-precision"), request.evalPrecision);
    return options + request.overrides;
}

QString freshPath(const LaunchRequest& request, const QString& runsRoot)
{
    const std::filesystem::path root(runsRoot.toStdU16String());
    const QString name = QFileInfo(request.recipe).completeBaseName();
    return pathText(run::freshRunPath(root, name.toStdString()));
}

Result<Started> startDetached(const QStringList& arguments, Started started)
{
    QProcess process;
    process.setProgram(earwrightProgram());
    process.setArguments(arguments);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setStandardOutputFile(started.logFile, QIODevice::Append);
    started.logBefore = QFileInfo(started.logFile).size();
    // QProcess calls setsid() in the child it detaches: the run has a session of its own.
    if (process.program().isEmpty())
        return failure(noProgramMessage());
    if (!process.startDetached(&started.pid))
        return failure(
            translated("Cannot start '%1': %2").arg(process.program(), process.errorString()));
    return started;
}

} // namespace

QStringList trainArguments(const LaunchRequest& request, const QString& runPath)
{
    QStringList arguments { QStringLiteral("train"), request.recipe };
    addOption(arguments, QStringLiteral("--run-dir"), runPath);
    return arguments + runOptions(request);
}

QStringList queueArguments(const LaunchRequest& request, const QString& runsRoot)
{
    const QStringList arguments { QStringLiteral("queue"), QStringLiteral("add"), request.recipe,
        QStringLiteral("--runs-dir"), runsRoot };
    return arguments + runOptions(request);
}

QStringList compareArguments(
    const LaunchRequest& request, const QStringList& precisions, const QString& runsRoot)
{
    QStringList arguments { QStringLiteral("compare"), QStringLiteral("--precisions"),
        precisions.join(QLatin1Char(',')), request.recipe, QStringLiteral("--runs-dir"), runsRoot };
    addOption(arguments, QStringLiteral("--devices"), request.devices);
    addOption(arguments, QStringLiteral("--eval-precision"), request.evalPrecision);
    return arguments + request.overrides;
}

QString commandLine(const QString& program, const QStringList& arguments)
{
    QStringList words { program };
    for (QString word : arguments) {
        static const QRegularExpression kPlain(QStringLiteral("^[\\w@%+=:,./-]+$"));
        if (!kPlain.match(word).hasMatch())
            word = QLatin1Char('\'') + word.replace(QLatin1Char('\''), QStringLiteral("'\\''"))
                + QLatin1Char('\'');
        words << word;
    }
    return words.join(QLatin1Char(' '));
}

Result<Started> startTraining(const LaunchRequest& request, const QString& runsRoot)
{
    Started started;
    started.runPath = freshPath(request, runsRoot);
    started.logFile = started.runPath + kLaunchLog;
    started.sign = started.runPath + QStringLiteral("/plan.json");
    if (!QDir().mkpath(started.runPath))
        return failure(translated("Cannot create the run folder '%1': choose another runs folder.")
                           .arg(started.runPath));
    Result<Started> result = startDetached(trainArguments(request, started.runPath), started);
    if (!result) {
        QFile::remove(started.logFile);
        QDir().rmdir(started.runPath);
    }
    return result;
}

Result<Started> startResume(const QString& runPath, const QStringList& settings)
{
    Started started;
    started.runPath = runPath;
    started.logFile = runPath + kLaunchLog;
    started.sign = runPath + QStringLiteral("/result.json"); // gone while a run is open
    started.signBefore = QFileInfo(started.sign).lastModified();
    return startDetached(QStringList { QStringLiteral("resume"), runPath } + settings, started);
}

Result<Started> startComparison(
    const LaunchRequest& request, const QStringList& precisions, const QString& runsRoot)
{
    Started started;
    started.logFile = runsRoot + kLaunchLog;
    const QString name = QFileInfo(request.recipe).completeBaseName();
    for (const QString& precision : precisions)
        started.beginnings << QStringLiteral("%1-%2-").arg(name, precision);
    if (!QDir().mkpath(runsRoot))
        return failure(
            translated("Cannot create the runs folder '%1': choose another one.").arg(runsRoot));
    return startDetached(compareArguments(request, precisions, runsRoot), started);
}

QString changeQueue(const QStringList& arguments)
{
    if (earwrightProgram().isEmpty())
        return noProgramMessage();
    QProcess process;
    process.start(earwrightProgram(), arguments);
    if (!process.waitForFinished(-1) || process.exitStatus() != QProcess::NormalExit)
        return process.errorString();
    const QString said = QString::fromUtf8(process.readAllStandardError()).trimmed();
    return process.exitCode() == 0 ? QString() : said;
}

QString launchLogTail(const QString& runPath, qint64 begin)
{
    QFile file(runPath + kLaunchLog);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    constexpr qint64 kTailBytes = 4000;
    file.seek(std::max(begin, file.size() - kTailBytes));
    return QString::fromUtf8(file.readAll()).trimmed();
}

} // namespace earwright::ui
