#include "core/lsp/serve.h"

#include <iostream>

int main()
{
    return earwright::lsp::serveLsp(std::cin, std::cout, earwright::check::Machine());
}
