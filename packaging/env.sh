# Sourced by the other scripts: where things are. Changes nothing but variables.
earwright_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
earwright_venv=${EARWRIGHT_VENV:-$earwright_root/build/venv}
earwright_sounds=$earwright_root/build/sounds
earwright_kenlm=$earwright_venv/kenlm
earwright_kenlm_version=0.3.0
earwright_miniaudio=$earwright_venv/miniaudio
earwright_miniaudio_version=1.71
if [ -x "$earwright_venv/bin/python" ]; then
  earwright_site=$("$earwright_venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  export PATH="$earwright_venv/bin:$PATH"
  export Torch_DIR=$earwright_site/torch/share/cmake/Torch
  export kenlm_DIR=$earwright_kenlm/share/kenlm/cmake
  export MINIAUDIO_DIR=$earwright_miniaudio
  # No toolkit on the system: the one that setup.sh put beside the wheel.
  if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ] && [ -x "$earwright_site/nvidia/cu13/bin/nvcc" ]; then
    export CUDA_HOME=$earwright_site/nvidia/cu13 CUDACXX=$earwright_site/nvidia/cu13/bin/nvcc CUDAToolkit_ROOT=$earwright_site/nvidia/cu13
    export CUDA_PATH=$CUDA_HOME
    export PATH="$CUDA_HOME/bin:$PATH"
  fi
fi
# Unset, LibTorch's CMake compiles and runs a GPU probe.
export TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-8.0;8.6;8.9;9.0}
