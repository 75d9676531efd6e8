#!/usr/bin/env bash
# Compiles cupti_count.cpp with the CUPTI beside LibTorch: bash cupti.sh LIBRARY.so
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
site=${earwright_site:-$(python3 -c 'import importlib.util, os; print(os.path.dirname(os.path.dirname(importlib.util.find_spec("torch").origin)))')}
cu=$site/nvidia/cu13
g++ -std=c++20 -O2 -shared -fPIC -fvisibility=hidden -I"$cu/include" "$here/cupti_count.cpp" -o "$1" -L"$cu/lib" -l:libcupti.so.13
strip "$1"
