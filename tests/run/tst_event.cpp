#include "core/run/event.h"
#include "tests/registry.h"

#include <cmath>
#include <limits>
#include <QTest>

using namespace earwright::run;

namespace {

/// One of each kind, no member at its default.
std::vector<Payload> allPayloads()
{
    return {
        Scalar { "train/loss", 7, 0.1 },
        RunStarted { "digits", "ctc", "bf16", "fp32", { "cuda:0", "cuda:1" }, 15, 200, 1234567,
            1200000, 2, 400 },
        PhaseChanged { "train", 3, 400 },
        Message { "warning", "Größe \"x\"\n面" },
        CheckpointSaved { "checkpoints/step400", 3, 400, true },
        Evaluated { "test", 3, 400, 0.5, 12.5, 4.25, "alignments/test.txt", "CER",
            { "step-400", "step-200" } },
        NonFinite { 401, "gradient", { "utt-1", "utt-2" }, true },
        LossScaleChanged { 402, 32768, true },
        DtypeCensus { "train", { { "bfloat16", 0.75 }, { "float32", 0.25 } } },
        Finished { "failed", "out of memory", 1 },
        Restarting { 1, 3, "rank 1 was killed", 1, { "cuda:0" } },
        BatchSplit { 403, { "utt-3" }, 6.25, 2, "backward: CUDA out of memory", "/r/digits.yaml",
            { "batch_size=4", "grad_accumulation_factor=2" } },
        LogDamage { "events/rank0/events.out.tfevents.0000", 120, 187, false },
    };
}

} // namespace

class TstEvent : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKind_comesBackAsItWas()
    {
        const std::vector<Payload> payloads = allPayloads();
        QCOMPARE(payloads.size(), std::variant_size_v<Payload>);
        for (size_t i = 0; i < payloads.size(); ++i) {
            QCOMPARE(payloads[i].index(), i);
            const std::string json = payloadToJson(payloads[i]);
            const auto back = payloadFromJson(json);
            QVERIFY2(bool(back), json.c_str());
            QCOMPARE(back->index(), i);
            QCOMPARE(payloadToJson(*back), json);
            QVERIFY(isKnownKind(payloadKind(payloads[i])));
        }
    }

    void members_areWrittenInSnakeCase()
    {
        QCOMPARE(payloadToJson(allPayloads()[1]),
            std::string(
                R"({"kind":"run_started","name":"digits","task":"ctc","precision":"bf16",)"
                R"("eval_precision":"fp32","devices":["cuda:0","cuda:1"],"number_of_epochs":15,)"
                R"("steps_per_epoch":200,"parameter_count":1234567,"trained_count":1200000,)"
                R"("attempt":2,"resumed_step":400})"));
        QCOMPARE(payloadToJson(allPayloads()[8]),
            std::string(
                R"({"kind":"dtype_census","stage":"train","share_by_dtype":{"bfloat16":0.75,"float32":0.25}})"));
    }

    void nonFiniteNumbers_areKept()
    {
        const double inf = std::numeric_limits<double>::infinity();
        const auto back = payloadFromJson(
            payloadToJson(Evaluated { "valid", 1, 2, std::nan(""), inf, -inf, "" }));
        QVERIFY(bool(back));
        const auto& evaluated = std::get<Evaluated>(*back);
        QVERIFY(std::isnan(evaluated.loss));
        QCOMPARE(evaluated.wer, inf);
        QCOMPARE(evaluated.cer, -inf);
    }

    void brokenUtf8_isReplaced()
    {
        const auto back = payloadFromJson(payloadToJson(Message { "info", "a\xff\xfe b" }));
        QVERIFY(bool(back));
        QCOMPARE(std::get<Message>(*back).text, std::string("a\xEF\xBF\xBD\xEF\xBF\xBD b"));
    }

    void missingAndUnknownMembers_areNoError()
    {
        const auto back = payloadFromJson(R"({"kind":"finished","state":"done","mood":"good"})");
        QVERIFY(bool(back));
        QCOMPARE(std::get<Finished>(*back).state, std::string("done"));
        QCOMPARE(std::get<Finished>(*back).rank, int64_t { -1 });
    }

    void badJson_isAnErrorInWords_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("message");
        QTest::newRow("malformed") << R"({"kind":)"
                                   << R"(event is not a JSON object: '{"kind":')";
        QTest::newRow("not an object") << "[1]"
                                       << "event is not a JSON object: '[1]'";
        QTest::newRow("unknown kind") << R"({"kind":"tea"})"
                                      << "event of unknown kind 'tea'";
        QTest::newRow("wrong type") << R"({"kind":"finished","rank":"x"})"
                                    << "event of kind 'finished': member 'rank' has the wrong type";
        QTest::newRow("wrong element")
            << R"({"kind":"non_finite","utterances":[1]})"
            << "event of kind 'non_finite': member 'utterances' has the wrong type";
    }

    void badJson_isAnErrorInWords()
    {
        QFETCH(QString, json);
        QFETCH(QString, message);
        const auto back = payloadFromJson(json.toStdString());
        QVERIFY(!back);
        QCOMPARE(QString::fromStdString(back.error().message), message);
    }

    void step_isThatOfThePayload()
    {
        QCOMPARE(payloadStep(Scalar { "train/loss", 7, 0.1 }), int64_t { 7 });
        QCOMPARE(payloadStep(LossScaleChanged { 402, 1, false }), int64_t { 402 });
        QCOMPARE(payloadStep(Message {}), int64_t { 0 });
    }
};

EARWRIGHT_TEST(TstEvent)
#include "tst_event.moc"
