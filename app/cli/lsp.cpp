#include "app/cli/command.h"
#include "core/data/token_check.h"
#include "core/engine/machine_probe.h"
#include "core/lsp/serve.h"

#include <iostream>

namespace earwright::cli {

int runLsp(const std::vector<std::string>& words)
{
    // Editors pass --stdio by custom; there is nothing else to choose.
    if (words.size() > 1 || (words.size() == 1 && words[0] != "--stdio"))
        return usageError("lsp", "the language server takes no arguments but --stdio");
    std::ios::sync_with_stdio(false);
    return lsp::serveLsp(std::cin, std::cout, engine::probeMachine(), data::checkTokens);
}

} // namespace earwright::cli
