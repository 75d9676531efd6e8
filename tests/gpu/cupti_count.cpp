// Counts and times what a process and its GPU do: loaded by CUDA itself (CUDA_INJECTION64_PATH).
// At the process's end it writes $EARWRIGHT_CUPTI_OUT.PID, of the second half of the training
// steps: a line "# {…}" of JSON with head figures, then tables of kernels by the GPU's time, of
// CUDA's calls by the host's, of calls by kind, and of what the host did before it launched each
// kernel.
//
// Steps are told apart by a kernel that only optimizer steps launch ($EARWRIGHT_CUPTI_MARK, a part
// of its name); $EARWRIGHT_CUPTI_STEPS says how many steps there were. Without them it is the last
// half of the time.
#include <cupti.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

constexpr size_t kBuffer = 4 << 20;
constexpr double kNsPerMs = 1e6;
constexpr uint64_t kLongPauseNs
    = 20'000; ///< what the host does between two calls that come at once

/// What the GPU did: a kernel, a copy or a fill.
struct Work {
    uint64_t begin;
    uint64_t end;
    uint32_t correlation;
    const std::string* name;
};

/// What the host called.
struct Call {
    uint64_t begin;
    uint64_t end;
    uint32_t thread;
    uint32_t correlation;
    const std::string* name;
};

struct Window {
    uint64_t begin = 0;
    uint64_t end = 0;
    double steps = 0; ///< 0: they are not known
    bool holds(uint64_t time) const { return time >= begin && time < end; }
    double ms() const { return static_cast<double>(end - begin) / kNsPerMs; }
};

struct Row {
    uint64_t count = 0;
    uint64_t ns = 0;
    uint64_t longest = 0;
    void add(uint64_t time)
    {
        ++count;
        ns += time;
        longest = std::max(longest, time);
    }
};
using Table = std::map<std::string, Row>;

std::mutex g_mutex; // guards all below
std::set<std::string> g_names;
std::unordered_map<const void*, const std::string*> g_kernelNames; // CUPTI keeps a name's place
std::map<std::pair<bool, uint32_t>, const std::string*> g_callNames;
std::vector<Work> g_work;
std::vector<Call> g_calls;

const std::string* kept(std::string name)
{
    return &*g_names.insert(std::move(name)).first;
}

std::string demangled(const char* name)
{
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    return status == 0 && text ? text.get() : name;
}

const std::string* kernelName(const char* name)
{
    if (!name)
        return kept("?");
    const std::string*& found = g_kernelNames[name];
    if (!found)
        found = kept(demangled(name));
    return found;
}

const std::string* callName(bool isRuntime, uint32_t id)
{
    const std::string*& found = g_callNames[{ isRuntime, id }];
    if (!found) {
        const char* name = nullptr;
        const CUpti_CallbackDomain domain
            = isRuntime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
        const bool isKnown = cuptiGetCallbackName(domain, id, &name) == CUPTI_SUCCESS && name;
        found = kept(isKnown ? name : (isRuntime ? "cuda#" : "cu#") + std::to_string(id));
    }
    return found;
}

void CUPTIAPI requested(uint8_t** buffer, size_t* size, size_t* most)
{
    *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, kBuffer));
    *size = kBuffer;
    *most = 0;
}

const char* copyName(uint8_t kind)
{
    return kind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD ? "[copy to the device]"
        : kind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH  ? "[copy to the host]"
                                                   : "[copy]";
}

void note(const CUpti_Activity* record)
{
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL: {
        const auto* of = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
        g_work.push_back({ of->start, of->end, of->correlationId, kernelName(of->name) });
        break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
        const auto* of = reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
        g_work.push_back({ of->start, of->end, of->correlationId, kept(copyName(of->copyKind)) });
        break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
        const auto* of = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
        g_work.push_back({ of->start, of->end, of->correlationId, kept("[fill]") });
        break;
    }
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: {
        const bool isRuntime = record->kind == CUPTI_ACTIVITY_KIND_RUNTIME;
        const auto* of = reinterpret_cast<const CUpti_ActivityAPI*>(record);
        if (of->end >= of->start && of->start > 0)
            g_calls.push_back({ of->start, of->end, of->threadId, of->correlationId,
                callName(isRuntime, of->cbid) });
        break;
    }
    default:
        break;
    }
}

void CUPTIAPI completed(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid)
{
    const std::lock_guard lock(g_mutex);
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        note(record);
    std::free(buffer);
}

/// What a call does to the thread that makes it.
const char* kindOf(const std::string& name)
{
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("EventQuery") || has("StreamQuery"))
        return "asks whether the GPU is done";
    if (has("WaitEvent") || has("EventRecord"))
        return "orders streams";
    if (has("Synchronize"))
        return "waits for the GPU";
    if (has("Memcpy") && !has("Async"))
        return "copies and waits";
    if (has("Memcpy") || has("Memset"))
        return "queues copies and fills";
    if (has("Launch"))
        return "launches";
    if (has("Alloc") || has("Free") || has("HostRegister") || has("MemMap") || has("MemUnmap")
        || has("MemCreate") || has("MemRelease"))
        return "takes and gives back memory";
    if (has("Module") || has("Library") || has("Link"))
        return "loads kernels";
    return "else";
}

uint64_t number(const char* name)
{
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : 0;
}

/// The second half of the steps, from one step's mark to the last one's.
Window windowOfSteps()
{
    const char* mark = std::getenv("EARWRIGHT_CUPTI_MARK");
    const auto steps = static_cast<double>(number("EARWRIGHT_CUPTI_STEPS"));
    std::vector<uint64_t> marks;
    for (const Work& work : g_work)
        if (mark && *mark && work.name->find(mark) != std::string::npos)
            marks.push_back(work.begin);
    if (marks.size() < 4 || steps == 0) {
        const uint64_t first = g_work.front().begin, last = g_work.back().end;
        return { first + (last - first) / 2, last };
    }
    // A step may launch it more than once, and each step as often.
    const size_t middle = marks.size() / 2;
    const auto share
        = static_cast<double>(marks.size() - 1 - middle) / static_cast<double>(marks.size());
    return { marks[middle], marks.back(), steps * share };
}

/// A call of the driver within one of the runtime is a part of it. Expects them sorted by begin.
std::vector<Call> outermost(const std::vector<Call>& calls)
{
    std::vector<Call> found;
    std::unordered_map<uint32_t, uint64_t> until;
    for (const Call& call : calls) {
        uint64_t& end = until[call.thread];
        if (call.end <= end)
            continue;
        end = call.end;
        found.push_back(call);
    }
    return found;
}

/// The time within `window` in which at least one of `spans` was going on. Expects them sorted.
template <class Span>
uint64_t covered(const std::vector<Span>& spans, const Window& window)
{
    uint64_t sum = 0, until = window.begin;
    for (const Span& span : spans) {
        const uint64_t begin = std::max(span.begin, until), end = std::min(span.end, window.end);
        if (end > begin) {
            sum += end - begin;
            until = end;
        }
    }
    return sum;
}

/// What the calls with these numbers launched.
using Launched = std::unordered_map<uint32_t, const std::string*>;

Launched launched()
{
    Launched found;
    for (const Work& work : g_work)
        found.emplace(work.correlation, work.name);
    return found;
}

/// Calls of the threads that launch something in `window`, and those of the others: the loader's,
/// NCCL's.
std::pair<std::vector<Call>, std::vector<Call>> ofSteps(
    std::vector<Call> calls, const Launched& names, const Window& window)
{
    std::set<uint32_t> threads;
    for (const Call& call : calls)
        if (window.holds(call.begin) && names.contains(call.correlation))
            threads.insert(call.thread);
    const auto rest = std::stable_partition(calls.begin(), calls.end(),
        [&](const Call& call) { return threads.contains(call.thread); });
    return { { calls.begin(), rest }, { rest, calls.end() } };
}

/// What the host did after any call and before the launch of a kernel: dispatch, plans of cuDNN,
/// autograd, the loop itself. Threads of a step (forward, backward) work in turn.
Table pauses(const std::vector<Call>& calls, const Launched& names, const Window& window)
{
    Table found;
    uint64_t until = 0;
    for (const Call& call : calls) {
        if (window.holds(call.begin) && until > 0 && call.begin > until + kLongPauseNs) {
            const auto name = names.find(call.correlation);
            found[name == names.end() ? *call.name : *name->second].add(call.begin - until);
        }
        until = std::max(until, call.end);
    }
    return found;
}

/// By what `nameOf` says of a call.
template <class NameOf>
Table table(const std::vector<Call>& calls, const Window& window, NameOf nameOf)
{
    Table found;
    for (const Call& call : calls)
        if (window.holds(call.begin))
            found[nameOf(*call.name)].add(call.end - call.begin);
    return found;
}

void write(FILE* file, const char* head, const Table& rows, size_t most)
{
    std::vector<std::pair<std::string, Row>> sorted(rows.begin(), rows.end());
    std::sort(sorted.begin(), sorted.end(),
        [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
    std::fprintf(file, "\n%s\tcount\tms\tlongest_ms\n", head);
    for (size_t i = 0; i < std::min(most, sorted.size()); ++i)
        std::fprintf(file, "%.200s\t%llu\t%.3f\t%.3f\n", sorted[i].first.c_str(),
            static_cast<unsigned long long>(sorted[i].second.count),
            static_cast<double>(sorted[i].second.ns) / kNsPerMs,
            static_cast<double>(sorted[i].second.longest) / kNsPerMs);
}

/// Of a step where steps are known, else of the whole window.
void writeHead(FILE* file, const Window& window, const std::vector<Call>& calls, const Table& kinds)
{
    const auto launches = std::count_if(
        g_work.begin(), g_work.end(), [&](const Work& work) { return window.holds(work.begin); });
    const double per = window.steps > 0 ? window.steps : 1;
    const auto share = [&](uint64_t ns) {
        return window.end > window.begin
            ? static_cast<double>(ns) / static_cast<double>(window.end - window.begin)
            : 0.0;
    };
    std::fprintf(file,
        "# {\"steps\": %.1f, \"ms\": %.3f, \"launches\": %.1f, \"gpu_works\": %.3f, "
        "\"host_in_calls\": %.3f, \"kinds\": {",
        window.steps, window.ms() / per, static_cast<double>(launches) / per,
        share(covered(g_work, window)), share(covered(calls, window)));
    const char* comma = "";
    for (const auto& [kind, row] : kinds) {
        std::fprintf(file, "%s\"%s\": [%.1f, %.3f, %.3f]", comma, kind.c_str(),
            static_cast<double>(row.count) / per, static_cast<double>(row.ns) / kNsPerMs / per,
            static_cast<double>(row.longest) / kNsPerMs);
        comma = ", ";
    }
    std::fprintf(file, "}}\n");
}

template <class Span>
void sortByBegin(std::vector<Span>& spans)
{
    // Of two that begin together the longer holds the other.
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
}

void finish()
{
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const std::lock_guard lock(g_mutex);
    const char* out = std::getenv("EARWRIGHT_CUPTI_OUT");
    if (!out || g_work.empty())
        return;
    FILE* file = std::fopen((std::string(out) + "." + std::to_string(getpid())).c_str(), "w");
    if (!file)
        return;
    sortByBegin(g_work);
    sortByBegin(g_calls);
    const Window window = windowOfSteps();
    const Launched names = launched();
    const auto [calls, others] = ofSteps(outermost(g_calls), names, window);
    Table kernels;
    for (const Work& work : g_work)
        if (window.holds(work.begin))
            kernels[*work.name].add(work.end - work.begin);
    const auto own = [](const std::string& name) { return name; };
    const Table kinds = table(calls, window, kindOf);
    writeHead(file, window, calls, kinds);
    write(file, "kernel", kernels, 80);
    write(file, "call", table(calls, window, own), 60);
    write(file, "kind of call", kinds, 20);
    write(file, "host before the launch of", pauses(calls, names, window), 60);
    write(file, "call of another thread", table(others, window, own), 20);
    std::fclose(file);
}

} // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection()
{
    static std::atomic<bool> once { false };
    if (once.exchange(true))
        return 1;
    cuptiActivityRegisterCallbacks(requested, completed);
    for (const CUpti_ActivityKind kind :
        { CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
            CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER })
        cuptiActivityEnable(kind);
    std::atexit(finish);
    return 1;
}
