// Counts and times what a process does on its GPU: loaded by CUDA itself (CUDA_INJECTION64_PATH).
// At the process's end it writes $EARWRIGHT_CUPTI_OUT.PID: a line of totals, then a table of
// kernels by time and one of runtime calls that wait.
#include <cupti.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

struct Row {
    uint64_t count = 0;
    uint64_t ns = 0;
};

std::mutex g_mutex;
std::map<std::string, Row> g_kernels, g_calls;
std::vector<std::pair<uint64_t, uint64_t>> g_busy; // begin and end of each kernel and copy

constexpr size_t kBuffer = 4 << 20;

void CUPTIAPI requested(uint8_t** buffer, size_t* size, size_t* most)
{
    *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, kBuffer));
    *size = kBuffer;
    *most = 0;
}

void note(std::map<std::string, Row>& table, const std::string& name, uint64_t begin, uint64_t end)
{
    Row& row = table[name];
    row.count += 1;
    row.ns += end - begin;
}

bool waits(uint32_t id)
{
    const char* name = nullptr;
    if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, id, &name) != CUPTI_SUCCESS || !name)
        return false;
    for (const char* part : { "Synchronize", "cudaMalloc", "cudaFree", "cudaMemcpy_", "HostAlloc",
             "cudaLaunch", "cudaMemcpyAsync", "cudaMemsetAsync", "GraphLaunch", "EventQuery" })
        if (std::strstr(name, part))
            return true;
    return false;
}

void CUPTIAPI completed(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid)
{
    const std::lock_guard lock(g_mutex);
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
            || record->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
            const auto* kernel = reinterpret_cast<CUpti_ActivityKernel10*>(record);
            note(g_kernels, kernel->name ? kernel->name : "?", kernel->start, kernel->end);
            g_busy.emplace_back(kernel->start, kernel->end);
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
            const auto* copy = reinterpret_cast<CUpti_ActivityMemcpy6*>(record);
            note(g_kernels,
                copy->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD       ? "[copy to the device]"
                    : copy->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? "[copy to the host]"
                                                                        : "[copy]",
                copy->start, copy->end);
            g_busy.emplace_back(copy->start, copy->end);
        } else if (record->kind == CUPTI_ACTIVITY_KIND_RUNTIME) {
            const auto* call = reinterpret_cast<CUpti_ActivityAPI*>(record);
            const char* name = nullptr;
            if (waits(call->cbid)
                && cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, call->cbid, &name)
                    == CUPTI_SUCCESS)
                note(g_calls, name, call->start, call->end);
        }
    }
    std::free(buffer);
}

void table(FILE* file, const char* head, const std::map<std::string, Row>& rows, size_t most)
{
    std::vector<std::pair<std::string, Row>> sorted(rows.begin(), rows.end());
    std::sort(sorted.begin(), sorted.end(),
        [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
    std::fprintf(file, "%s\tcount\tms\n", head);
    for (size_t i = 0; i < std::min(most, sorted.size()); ++i)
        std::fprintf(file, "%.160s\t%llu\t%.3f\n", sorted[i].first.c_str(),
            static_cast<unsigned long long>(sorted[i].second.count),
            static_cast<double>(sorted[i].second.ns) / 1e6);
}

void finish()
{
    cuptiActivityFlushAll(1);
    const std::lock_guard lock(g_mutex);
    const char* out = std::getenv("EARWRIGHT_CUPTI_OUT");
    if (!out || g_busy.empty())
        return;
    FILE* file = std::fopen((std::string(out) + "." + std::to_string(getpid())).c_str(), "w");
    if (!file)
        return;
    // The last half of the time: trainings begin with what happens once.
    std::sort(g_busy.begin(), g_busy.end());
    const uint64_t first = g_busy.front().first, last = g_busy.back().second,
                   from = first + (last - first) / 2;
    uint64_t busy = 0, until = from, count = 0;
    for (const auto& [begin, end] : g_busy) {
        if (end <= from)
            continue;
        ++count;
        const uint64_t start = std::max(begin, until);
        if (end > start) {
            busy += end - start;
            until = end;
        }
    }
    std::fprintf(file,
        "# all %zu launches in %.1f ms; last half: %llu in %.1f ms, the device works %.1f %% of "
        "it\n",
        g_busy.size(), static_cast<double>(last - first) / 1e6,
        static_cast<unsigned long long>(count), static_cast<double>(last - from) / 1e6,
        100.0 * static_cast<double>(busy) / static_cast<double>(last - from));
    table(file, "kernel", g_kernels, 60);
    table(file, "call", g_calls, 30);
    std::fclose(file);
}

} // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection()
{
    static std::atomic<bool> once { false };
    if (once.exchange(true))
        return 1;
    cuptiActivityRegisterCallbacks(requested, completed);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME);
    std::atexit(finish);
    return 1;
}
