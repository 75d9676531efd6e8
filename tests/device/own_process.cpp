#include "tests/device/own_process.h"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>

namespace earwright::tests {

namespace {

std::string answerOf(const std::function<nlohmann::json()>& work)
{
    nlohmann::json answer;
    try {
        at::set_num_threads(1);
        answer["result"] = work();
    } catch (const c10::Error& error) {
        answer["error"] = error.what_without_backtrace();
    } catch (const std::exception& error) {
        answer["error"] = error.what();
    }
    return answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

[[noreturn]] void runChild(int pipe, const std::function<nlohmann::json()>& work)
{
    // Qt Test's handler would print a stack and take seconds for it.
    std::signal(SIGSEGV, SIG_DFL);
    const rlimit none { 0, 0 };
    setrlimit(RLIMIT_CORE, &none);
    const std::string answer = answerOf(work);
    for (size_t at = 0; at < answer.size();) {
        const ssize_t written = write(pipe, answer.data() + at, answer.size() - at);
        if (written <= 0)
            _exit(1);
        at += static_cast<size_t>(written);
    }
    _exit(0);
}

std::string readAll(int pipe)
{
    std::string text;
    std::array<char, 4096> part {};
    for (ssize_t count = 0; (count = read(pipe, part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<size_t>(count));
    return text;
}

} // namespace

WorkEnd inOwnProcess(const std::function<nlohmann::json()>& work)
{
    std::array<int, 2> ends {};
    if (pipe(ends.data()) != 0)
        return { .error = "no pipe" };
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        runChild(ends[1], work);
    }
    close(ends[1]);
    const std::string text = readAll(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        return { .signal = WTERMSIG(status) };
    const nlohmann::json answer = nlohmann::json::parse(text, nullptr, false);
    if (!answer.is_object())
        return { .error = "the process told nothing" };
    return { .error = answer.value("error", ""),
        .result = answer.value("result", nlohmann::json()) };
}

} // namespace earwright::tests
