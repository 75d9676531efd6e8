#pragma once

#include <string>

namespace earwright::settings {

/// Whether the text of `hotword` names a file with one phrase a line: it ends in .txt, has a slash
/// or is there. Else it is the phrases themselves, between blanks.
bool namesHotwordFile(const std::string& hotword);

} // namespace earwright::settings
