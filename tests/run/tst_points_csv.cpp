#include "core/run/points_csv.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright::run;

class TstPointsCsv final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tags_areFieldsAndNoFormulas();
};

/// Tests and groups of parameters are named by the recipe.
void TstPointsCsv::tags_areFieldsAndNoFormulas()
{
    Snapshot snapshot;
    for (const char* tag : { "=1+1/wer", "a, \"b\"/wer", "train/loss" })
        fold(snapshot, 0, { 1000, Scalar { tag, 3, -1.5 } });
    QCOMPARE(QString::fromStdString(pointsAsCsv(snapshot)),
        QStringLiteral("tag,step,wall_time,value\n"
                       "'=1+1/wer,3,1000.000000,-1.5\n"
                       "\"a, \"\"b\"\"/wer\",3,1000.000000,-1.5\n"
                       "train/loss,3,1000.000000,-1.5\n"));
}

EARWRIGHT_TEST(TstPointsCsv)
#include "tst_points_csv.moc"
