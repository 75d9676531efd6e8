# Sourced by the other scripts: where things are. Changes nothing but variables.
kymo_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kymo_venv=${KYMO_VENV:-$kymo_root/build/venv}
kymo_sounds=$kymo_root/build/sounds
kymo_kenlm=$kymo_venv/kenlm
kymo_kenlm_version=0.3.0
kymo_miniaudio=$kymo_venv/miniaudio
kymo_miniaudio_version=1.71
if [ -x "$kymo_venv/bin/python" ]; then
  kymo_site=$("$kymo_venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  export PATH="$kymo_venv/bin:$PATH"
  export Torch_DIR=$kymo_site/torch/share/cmake/Torch
  export kenlm_DIR=$kymo_kenlm/share/kenlm/cmake
  export MINIAUDIO_DIR=$kymo_miniaudio
  # No toolkit on the system: the one that setup.sh put beside the wheel.
  if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ] && [ -x "$kymo_site/nvidia/cu13/bin/nvcc" ]; then
    export CUDA_HOME=$kymo_site/nvidia/cu13 CUDACXX=$kymo_site/nvidia/cu13/bin/nvcc CUDAToolkit_ROOT=$kymo_site/nvidia/cu13
    export CUDA_PATH=$CUDA_HOME
    export PATH="$CUDA_HOME/bin:$PATH"
  fi
fi
# Unset, LibTorch's CMake compiles and runs a GPU probe.
export TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-8.0;8.6;8.9;9.0}
