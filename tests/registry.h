#pragma once

#include <QObject>

#include <memory>

namespace earwright::tests {

/// A test class of a program with several (tests/main.cpp), known by the name of its file.
class Registration final {
public:
    using Make = std::unique_ptr<QObject> (*)();
    Registration(const char* file, Make make);
};

} // namespace earwright::tests

/// In place of QTEST_MAIN, once in a file tst_x.cpp: `test_data tst_x [slot…]` runs the class.
#define EARWRIGHT_TEST(Class)                                                                      \
    static const earwright::tests::Registration registrationOf##Class(                             \
        __FILE__, []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });
