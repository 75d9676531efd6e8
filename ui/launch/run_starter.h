#pragma once

#include "core/base/result.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

namespace earwright::ui {

/// What the launch panel asks for. Empty = as the recipe says.
struct LaunchRequest {
    QString recipe;
    QString devices; ///< "cpu:2", "cuda:0,1"
    QString precision;
    QString evalPrecision;
    QStringList overrides; ///< "lr=0.01"
};

/// runPath "" = one that earwright chooses. train RECIPE --run-dir DIR --devices … --precision …
/// --eval-precision … key=value…
QStringList trainArguments(const LaunchRequest& request, const QString& runPath);
/// compare --precisions … RECIPE --runs-dir ROOT --devices … key=value…
QStringList compareArguments(
    const LaunchRequest& request, const QStringList& precisions, const QString& runsRoot);
/// queue add RECIPE --runs-dir ROOT --devices … key=value…
QStringList queueArguments(const LaunchRequest& request, const QString& runsRoot);
/// As a user would type it in a shell.
QString commandLine(const QString& program, const QStringList& arguments);

struct Started {
    QString runPath; ///< of a training; "" for a comparison, which makes its own
    QString logFile; ///< where the program's own output goes, also when it dies before a run folder
                     ///< exists
    qint64 logBefore = 0; ///< bytes that earlier ones had written there
    QString sign; ///< a file that is written once the program did its work: it became a run
    QDateTime signBefore {}; ///< when it was written by another one before; invalid = it was not
    qint64 pid = 0;
    QStringList beginnings {}; ///< of a comparison: how the names of its runs begin
};

/// Starts `earwright train` in a session of its own, so that it outlives the window. Touches the
/// disk: not in the GUI thread. Errors: no program, a folder that cannot be made, a program that
/// cannot be started.
Result<Started> startTraining(const LaunchRequest& request, const QString& runsRoot);
/// `earwright resume`: goes on with a run, with other settings ("--number_of_epochs=20") that it
/// may have.
Result<Started> startResume(const QString& runPath, const QStringList& settings = {});
/// The same for `earwright compare`.
Result<Started> startComparison(
    const LaunchRequest& request, const QStringList& precisions, const QString& runsRoot);

/// Runs `earwright queue …` to its end: not in the GUI thread. What it said where it failed, else
/// "".
QString changeQueue(const QStringList& arguments);

/// The end of what the program printed behind the first `begin` bytes, for a run that died before
/// it had events; "" where there is no such file. Touches the disk.
QString launchLogTail(const QString& runPath, qint64 begin = 0);

} // namespace earwright::ui
