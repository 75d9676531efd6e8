# shellcheck shell=bash disable=SC1091,SC2154
# Sourced by gpu.sh in an unpacked bundle. LibTorch, CUDA, cuDNN and NCCL are this machine's own, those of its Python's torch.
python=${VENV:+$VENV/bin/}python3
export GPU_PYTHON=$python
torch=$("$python" -c 'import importlib.util, os; print(os.path.dirname(importlib.util.find_spec("torch").origin))' 2>/dev/null) ||
  { echo "$python has no torch: name a venv that has it by VENV=…" >&2; exit 1; }
GPU_LIBRARIES=$root/lib:$torch/lib:$(dirname "$torch")/nvidia/cu13/lib
# A libstdc++ older than the one that Earwright was built with: the bundle's goes first.
system=$(ldconfig -p | awk '/libstdc\+\+\.so\.6 .*x86-64/ && !n++ {print $NF}')
if ! grep -qa GLIBCXX_3.4.30 "${system:-/nonexistent}"; then
  GPU_LIBRARIES=$root/libfallback:$GPU_LIBRARIES
fi
export GPU_LIBRARIES
if ls "$root"/wheels/*.whl >/dev/null 2>&1; then
  site=$WORK/site
  if [ ! -e "$site/ready" ] &&
    "$python" -m pip install -q --disable-pip-version-check --no-index --no-deps --no-compile --target "$site" "$root"/wheels/*.whl; then
    touch "$site/ready"
  fi
  if [ -e "$site/ready" ]; then
    export GPU_PEER_PYTHON=$python GPU_PEER_SITE=$site
  fi
fi
