#include "core/run/event.h"

#include "core/base/json_fields.h"

#include <type_traits>

namespace earwright::run {
namespace {

/// Name and members of every payload: writing and reading visit the same list.
template <class P>
struct Fields;

template <>
struct Fields<Scalar> {
    static constexpr const char* kKind = "scalar";
    static void visit(auto& p, auto& field)
    {
        field("tag", p.tag);
        field("step", p.step);
        field("value", p.value);
    }
};

template <>
struct Fields<RunStarted> {
    static constexpr const char* kKind = "run_started";
    static void visit(auto& p, auto& field)
    {
        field("name", p.name);
        field("task", p.task);
        field("precision", p.precision);
        field("eval_precision", p.evalPrecision);
        field("devices", p.devices);
        field("number_of_epochs", p.numberOfEpochs);
        field("steps_per_epoch", p.stepsPerEpoch);
        field("parameter_count", p.parameterCount);
        field("trained_count", p.trainedCount);
        field("attempt", p.attempt);
        field("resumed_step", p.resumedStep);
    }
};

template <>
struct Fields<PhaseChanged> {
    static constexpr const char* kKind = "phase_changed";
    static void visit(auto& p, auto& field)
    {
        field("phase", p.phase);
        field("epoch", p.epoch);
        field("step", p.step);
    }
};

template <>
struct Fields<Message> {
    static constexpr const char* kKind = "message";
    static void visit(auto& p, auto& field)
    {
        field("level", p.level);
        field("text", p.text);
    }
};

template <>
struct Fields<CheckpointSaved> {
    static constexpr const char* kKind = "checkpoint_saved";
    static void visit(auto& p, auto& field)
    {
        field("path", p.path);
        field("epoch", p.epoch);
        field("step", p.step);
        field("best", p.best);
    }
};

template <>
struct Fields<Evaluated> {
    static constexpr const char* kKind = "evaluated";
    static void visit(auto& p, auto& field)
    {
        field("split", p.split);
        field("epoch", p.epoch);
        field("step", p.step);
        field("loss", p.loss);
        field("wer", p.wer);
        field("cer", p.cer);
        field("alignments_file", p.alignmentsFile);
        field("rate", p.rate);
        field("checkpoints", p.checkpoints);
    }
};

template <>
struct Fields<NonFinite> {
    static constexpr const char* kKind = "non_finite";
    static void visit(auto& p, auto& field)
    {
        field("step", p.step);
        field("what", p.what);
        field("utterances", p.utterances);
        field("skipped", p.skipped);
    }
};

template <>
struct Fields<LossScaleChanged> {
    static constexpr const char* kKind = "loss_scale_changed";
    static void visit(auto& p, auto& field)
    {
        field("step", p.step);
        field("scale", p.scale);
        field("overflow", p.overflow);
    }
};

template <>
struct Fields<DtypeCensus> {
    static constexpr const char* kKind = "dtype_census";
    static void visit(auto& p, auto& field)
    {
        field("stage", p.stage);
        field("share_by_dtype", p.shareByDtype);
    }
};

template <>
struct Fields<Finished> {
    static constexpr const char* kKind = "finished";
    static void visit(auto& p, auto& field)
    {
        field("state", p.state);
        field("error", p.error);
        field("rank", p.rank);
    }
};

template <>
struct Fields<Restarting> {
    static constexpr const char* kKind = "restarting";
    static void visit(auto& p, auto& field)
    {
        field("restart", p.restart);
        field("max_restarts", p.maxRestarts);
        field("error", p.error);
        field("rank", p.rank);
        field("devices", p.devices);
    }
};

template <>
struct Fields<BatchSplit> {
    static constexpr const char* kKind = "batch_split";
    static void visit(auto& p, auto& field)
    {
        field("step", p.step);
        field("utterances", p.utterances);
        field("seconds", p.seconds);
        field("parts", p.parts);
        field("cause", p.cause);
        field("recipe", p.recipe);
        field("overrides", p.overrides);
    }
};

template <>
struct Fields<LogDamage> {
    static constexpr const char* kKind = "log_damage";
    static void visit(auto& p, auto& field)
    {
        field("file", p.file);
        field("begin", p.begin);
        field("end", p.end);
        field("is_cut", p.isCut);
    }
};

template <class P>
Result<Payload> readPayload(JsonReader& reader)
{
    P payload;
    Fields<P>::visit(payload, reader);
    if (const Status status = reader.status(); !status)
        return Error { std::string("event of kind '") + Fields<P>::kKind
            + "': " + status.error().message };
    return Payload(std::move(payload));
}

/// Calls `use` with a null pointer of the alternative named `kind`; false where none is.
template <size_t I = 0>
bool withKind(std::string_view kind, auto&& use)
{
    if constexpr (I < std::variant_size_v<Payload>) {
        using P = std::variant_alternative_t<I, Payload>;
        if (kind != Fields<P>::kKind)
            return withKind<I + 1>(kind, use);
        use(static_cast<P*>(nullptr));
        return true;
    }
    return false;
}

} // namespace

std::string payloadKind(const Payload& payload)
{
    return std::visit(
        [](const auto& p) { return Fields<std::decay_t<decltype(p)>>::kKind; }, payload);
}

bool isKnownKind(std::string_view kind)
{
    return withKind(kind, [](auto*) {});
}

int64_t payloadStep(const Payload& payload)
{
    return std::visit(
        [](const auto& p) -> int64_t {
            if constexpr (requires { p.step; })
                return p.step;
            else
                return 0;
        },
        payload);
}

std::string damageText(const LogDamage& damage)
{
    const std::string begin = std::to_string(damage.begin);
    if (damage.isCut)
        return "'" + damage.file + "' ends within a record at byte " + begin
            + "; what it said is lost";
    const std::string extent = damage.end < 0
        ? "from byte " + begin + " on"
        : "from byte " + begin + " to " + std::to_string(damage.end);
    return "'" + damage.file + "' is damaged " + extent + "; what stood there is lost";
}

std::string payloadToJson(const Payload& payload)
{
    JsonWriter writer;
    writer("kind", payloadKind(payload));
    std::visit(
        [&](const auto& p) { Fields<std::decay_t<decltype(p)>>::visit(p, writer); }, payload);
    return writer.text();
}

Result<Payload> payloadFromJson(const std::string& json)
{
    Result<JsonReader> reader = JsonReader::parse(json);
    if (!reader)
        return Error { "event is " + reader.error().message };
    std::string kind;
    (*reader)("kind", kind);
    Result<Payload> payload = Error { "event of unknown kind '" + kind + "'" };
    withKind(kind, [&]<class P>(P*) { payload = readPayload<P>(*reader); });
    return payload;
}

} // namespace earwright::run
