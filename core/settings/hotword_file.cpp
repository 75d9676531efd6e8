#include "core/settings/hotword_file.h"

#include "core/base/file.h"

namespace earwright::settings {

bool namesHotwordFile(const std::string& hotword)
{
    return hotword.ends_with(".txt") || hotword.find('/') != std::string::npos || isFile(hotword);
}

} // namespace earwright::settings
