#include "core/engine/last_words.h"

#include <atomic>
#include <c10/util/Exception.h>
#include <cstdlib>
#include <exception>
#include <unistd.h>
#include <utility>

namespace earwright::engine {

namespace {

std::function<void(const std::string&)> toSay;
std::terminate_handler handlerBefore = nullptr;
std::atomic_flag isSaying;
thread_local bool saysIt = false;

std::string uncaught()
{
    const std::exception_ptr problem = std::current_exception();
    if (!problem)
        return "a thread called std::terminate";
    try {
        std::rethrow_exception(problem);
    } catch (const c10::Error& error) {
        return error.what_without_backtrace();
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "a thread threw what is no std::exception";
    }
}

[[noreturn]] void sayAndEnd()
{
    if (saysIt) // saying it has thrown
        std::abort();
    while (isSaying.test_and_set())
        pause(); // the first thread's words end the process
    saysIt = true;
    toSay(uncaught());
    std::abort();
}

} // namespace

LastWords::LastWords(std::function<void(const std::string& cause)> say)
{
    toSay = std::move(say);
    handlerBefore = std::set_terminate(sayAndEnd);
}

LastWords::~LastWords()
{
    std::set_terminate(handlerBefore);
    toSay = nullptr;
}

} // namespace earwright::engine
