#include "core/check/hotword_file.h"

#include <filesystem>

namespace kymo::check {

bool namesHotwordFile(const std::string& hotword)
{
    std::error_code error;
    return hotword.ends_with(".txt") || hotword.find('/') != std::string::npos
        || std::filesystem::is_regular_file(hotword, error);
}

} // namespace kymo::check
