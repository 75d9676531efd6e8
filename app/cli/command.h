#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace earwright::cli {

/// One command of earwright.
struct Command {
    const char* name;
    const char* summary; ///< one line of `earwright --help`
    /// Gets the words behind the command's name, returns an exit code (engine::ExitCode).
    int (*run)(const std::vector<std::string>& words);
    const char* usage; ///< printed by --help, then the run options where it takes them, then `more`
    bool takesRunOptions = false;
    const char* more = "";
};

int runAverage(const std::vector<std::string>& words);
int runCheck(const std::vector<std::string>& words);
int runCompare(const std::vector<std::string>& words);
int runCheckpoint(const std::vector<std::string>& words);
int runContinue(const std::vector<std::string>& words);
int runConvert(const std::vector<std::string>& words);
int runDevices(const std::vector<std::string>& words);
int runExplain(const std::vector<std::string>& words);
int runExport(const std::vector<std::string>& words);
int runInspect(const std::vector<std::string>& words);
int runKeep(const std::vector<std::string>& words);
int runLabel(const std::vector<std::string>& words);
int runLm(const std::vector<std::string>& words);
int runLsp(const std::vector<std::string>& words);
int runNew(const std::vector<std::string>& words);
int runPause(const std::vector<std::string>& words);
int runPlan(const std::vector<std::string>& words);
int runPrepare(const std::vector<std::string>& words);
int runQueue(const std::vector<std::string>& words);
int runRank(const std::vector<std::string>& words);
int runResolve(const std::vector<std::string>& words);
int runResume(const std::vector<std::string>& words);
int runRuns(const std::vector<std::string>& words);
int runSetLr(const std::vector<std::string>& words);
int runStop(const std::vector<std::string>& words);
int runTrain(const std::vector<std::string>& words);
int runTranscribe(const std::vector<std::string>& words);
int runUtterances(const std::vector<std::string>& words);

/// Gets out what was printed; the error, why it cannot.
Status flushOutput();

/// Prints "earwright: MESSAGE" and how to get help; returns engine::kUsage.
int usageError(const std::string& command, const std::string& message);

} // namespace earwright::cli
