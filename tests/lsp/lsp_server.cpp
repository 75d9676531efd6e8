#include "core/lsp/serve.h"

#include <iostream>

int main()
{
    return kymo::lsp::serveLsp(std::cin, std::cout, kymo::check::Machine());
}
