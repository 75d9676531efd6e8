#include "app/cli/repeated_errors.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

/// Which lines of a run's log are told on a terminal.
class TstRepeatedErrors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void otherRanks_areNotToldAgain()
    {
        cli::RepeatedErrors errors;
        QVERIFY(!errors.has(error(0, "store lost")));
        QVERIFY(errors.has(error(1, "store lost")));
        QVERIFY(errors.has(error(2, "store lost")));
        QVERIFY(!errors.has(error(2, "out of memory")));
    }

    void rankThatFailsAgain_isTold()
    {
        cli::RepeatedErrors errors;
        QVERIFY(!errors.has(error(0, "out of memory")));
        QVERIFY(!errors.has(error(0, "out of memory")));
    }

    void linesBetween_beginAnew()
    {
        cli::RepeatedErrors errors;
        QVERIFY(!errors.has(error(0, "store lost")));
        QVERIFY(!errors.has({ .rank = -1, .level = "error", .text = "store lost" }));
        QVERIFY(!errors.has(error(1, "store lost")));
        QVERIFY(!errors.has({ .rank = 1, .level = "info", .text = "store lost" }));
        QVERIFY(!errors.has(error(0, "store lost")));
    }

private:
    static run::LogLine error(int64_t rank, const char* text)
    {
        return { .rank = rank, .level = "error", .text = text };
    }
};

EARWRIGHT_TEST(TstRepeatedErrors)
#include "tst_repeated_errors.moc"
