#include "app/cli/lmplz.h"

#include "app/cli/interrupts.h"
#include "core/base/file.h"
#include "core/base/temporary_folder.h"
#include "core/base/text.h"
#include "core/decode/ngram.h"
#include "core/engine/rank_process.h"

#include <chrono>
#include <csignal>
#include <thread>
#include <unistd.h>

namespace earwright::cli {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> commandOf(
    const NgramTraining& training, const fs::path& text, const fs::path& arpa)
{
    std::error_code ignored;
    const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    std::vector<std::string> command { (beside / "lmplz").string(), "--order",
        std::to_string(training.order), "--memory", training.memory, "--temp_prefix",
        text.parent_path().string() + "/", "--text", text.string(), "--arpa", arpa.string(),
        "--discount_fallback" };
    if (!training.prune.empty())
        command.push_back("--prune");
    for (const int64_t threshold : training.prune)
        command.push_back(std::to_string(threshold));
    return command;
}

engine::ExitStatus waitFor(engine::RankProcess& process)
{
    for (;;) {
        if (const auto status = process.poll())
            return *status;
        if (interruptCount() > 0) // who sent it to this process alone means both
            process.signal(interruptCount() > 1 ? SIGKILL : SIGTERM);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

/// What lmplz complained of: the last line that is neither progress nor a headline.
std::string complaint(const std::string& log)
{
    std::string last;
    for (const std::string& line : split(log, '\n')) {
        const std::string_view text = trim(line);
        if (!text.empty() && !text.starts_with("===") && !text.starts_with("---")
            && !text.starts_with("***"))
            last = text;
    }
    return last;
}

Status runLmplz(const std::vector<std::string>& command, const fs::path& log)
{
    Result<engine::RankProcess> process = engine::RankProcess::start(command, {}, log, getpgrp());
    if (!process)
        return process.error();
    endWithProgram(process->pid());
    const engine::ExitStatus status = waitFor(*process);
    endWithProgram(0);
    if (status.code == 0)
        return Done {};
    const Result<std::string> said = readFile(log);
    return Error { "lmplz " + engine::describe(status) + ": "
        + (said ? complaint(*said) : std::string("it said nothing")) };
}

Status publish(const fs::path& arpa, const fs::path& out)
{
    if (toLower(out.extension().string()) == ".arpa")
        return publishFile(arpa, out);
    const fs::path binary = arpa.parent_path() / "model.bin";
    const Status written = decode::writeBinaryNgram(arpa, binary);
    return written ? publishFile(binary, out) : written;
}

/// Of a model that lmplz wrote and KenLM does not read, which has no end of a sentence.
Error unreadable(const NgramTraining& training, const Error& error)
{
    if (training.prune.empty())
        return error;
    std::string counts;
    for (const int64_t count : training.prune)
        counts += (counts.empty() ? "" : " ") + std::to_string(count);
    return Error { "--prune \"" + counts
        + "\" leaves no model of these texts: take lower counts, 0 for single words, such as \"0 0 "
          "1\"" };
}

} // namespace

Result<NgramTrained> trainNgram(const NgramTraining& training)
{
    const fs::path& out = training.out;
    const TemporaryFolder workplace(
        out.has_parent_path() ? out.parent_path() : fs::path("."), ".earwright-lm");
    if (workplace.path().empty())
        return Error { "cannot write '" + training.out.string()
            + "': its folder is not there or cannot be written to" };
    const fs::path text = workplace.path() / "text";
    const fs::path arpa = workplace.path() / "model.arpa";
    const fs::path log = workplace.path() / "log";
    if (const Status written = writeFileAtomically(text, join(training.sentences, "\n") + "\n");
        !written)
        return written.error();
    if (const Status trained = runLmplz(commandOf(training, text, arpa), log); !trained)
        return trained.error();
    if (interruptCount() > 0)
        return Error { "stopped" };
    endOnInterrupt(); // KenLM reads and writes without asking
    const auto model = decode::NgramModel::open(arpa); // before it replaces another one
    if (!model)
        return unreadable(training, model.error());
    const Result<std::string> said = readFile(log);
    if (const Status published = publish(arpa, training.out); !published)
        return published.error();
    return NgramTrained { .words = (*model)->wordCount(),
        .usedFallbackDiscounts = said && said->find("allback") != std::string::npos };
}

} // namespace earwright::cli
