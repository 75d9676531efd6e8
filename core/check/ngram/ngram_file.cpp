#include "core/check/ngram/ngram_file.h"

#include "core/base/file.h"
#include "core/check/ngram/binary.h"
#include "core/check/ngram/mapped_file.h"

#include <map>
#include <mutex>
#include <tuple>

namespace earwright::check {

std::string whyNoNgram(const std::filesystem::path& file)
{
    if (!isFile(file)) // a pipe would not end
        return "it is no file";
    const MappedFile mapped(file);
    return mapped.bytes().starts_with(kBinaryNgram) ? whyNoBinaryNgram(mapped.bytes())
                                                    : whyNoArpa(file);
}

std::string whyNoNgramAsBefore(const std::filesystem::path& file)
{
    using Known = std::tuple<dev_t, ino_t, off_t, time_t, long>;
    static std::mutex mutex;
    static std::map<Known, std::string> answers; // guarded by `mutex`
    constexpr size_t kMostAnswers = 64;
    struct stat facts { };
    if (::stat(file.c_str(), &facts) != 0)
        return whyNoNgram(file);
    const Known known { facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtim.tv_sec,
        facts.st_mtim.tv_nsec };
    {
        const std::lock_guard lock(mutex);
        if (const auto answer = answers.find(known); answer != answers.end())
            return answer->second;
    }
    std::string why = whyNoNgram(file);
    const std::lock_guard lock(mutex);
    if (answers.size() >= kMostAnswers)
        answers.clear();
    answers[known] = why;
    return why;
}

} // namespace earwright::check
