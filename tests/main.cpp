// The main() of a test program: the tests of a folder, of which one is run.

#include "tests/registry.h"

#include <QTest>
#ifdef EARWRIGHT_TEST_WIDGETS
#include <QApplication>
using Application = QApplication;
#else
#include <QCoreApplication>
using Application = QCoreApplication;
#endif

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace earwright::tests {

namespace {

std::map<std::string, Registration::Make>& tests()
{
    static std::map<std::string, Registration::Make> all;
    return all;
}

} // namespace

Registration::Registration(const char* file, Make make)
{
    tests().emplace(std::filesystem::path(file).stem().string(), make);
}

} // namespace earwright::tests

int main(int argc, char** argv)
{
    const auto& tests = earwright::tests::tests();
    const auto named = argc < 2 ? tests.end() : tests.find(argv[1]);
    if (named == tests.end()) {
        std::fprintf(stderr, "usage: %s TEST [Qt Test's options] [slot…], TEST one of:\n", argv[0]);
        for (const auto& test : tests)
            std::fprintf(stderr, "  %s\n", test.first.c_str());
        return 2;
    }
    Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    const std::unique_ptr<QObject> test = named->second();
    return QTest::qExec(test.get(), argc - 1, argv + 1);
}
