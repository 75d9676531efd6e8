# Sourced by the other scripts: where things are. No side effects but variables.
kymo_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kymo_venv=${KYMO_VENV:-$kymo_root/build/venv}
if [ -x "$kymo_venv/bin/python" ]; then
  kymo_site=$("$kymo_venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  export PATH="$kymo_venv/bin:$PATH"
  export Torch_DIR=$kymo_site/torch/share/cmake/Torch
fi
# LibTorch's CMake runs a GPU probe unless this is set.
export TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-8.0;8.6;8.9;9.0}
