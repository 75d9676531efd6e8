# Sourced by the other scripts: where things are, and how packages come. Changes nothing but variables.
earwright_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
earwright_venv=${EARWRIGHT_VENV:-$earwright_root/build/venv}
earwright_sounds=$earwright_root/build/sounds
earwright_requirements=$earwright_root/packaging/requirements
earwright_kenlm=$earwright_venv/kenlm
earwright_miniaudio=$earwright_venv/miniaudio
if [ -x "$earwright_venv/bin/python" ]; then
  earwright_site=$("$earwright_venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  export PATH="$earwright_venv/bin:$PATH"
  export Torch_DIR=$earwright_site/torch/share/cmake/Torch
  export kenlm_DIR=$earwright_kenlm/share/kenlm/cmake
  export MINIAUDIO_DIR=$earwright_miniaudio
  export PYARROW_DIR=$earwright_site/pyarrow
  # No toolkit on the system: the one that setup.sh put beside the wheel.
  if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ] && [ -x "$earwright_site/nvidia/cu13/bin/nvcc" ]; then
    export CUDA_HOME=$earwright_site/nvidia/cu13 CUDACXX=$earwright_site/nvidia/cu13/bin/nvcc CUDAToolkit_ROOT=$earwright_site/nvidia/cu13
    export CUDA_PATH=$CUDA_HOME
    export PATH="$CUDA_HOME/bin:$PATH"
  fi
fi
# Unset, LibTorch's CMake compiles and runs a GPU probe.
export TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-8.0;8.6;8.9;9.0}

# pip_install VENV NAME… [-- pip's options]: what packaging/requirements/NAME.txt lists. A package that is not listed, or whose file has
# none of the hashes there, is refused.
pip_install() {
  local venv=$1 arguments=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    arguments+=(-r "$earwright_requirements/$1.txt")
    shift
  done
  "$venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes "${arguments[@]}" "${@:2}"
}

# pinned NAME PACKAGE…: the packages' lines of packaging/requirements/NAME.txt.
pinned() {
  local list=$1 package
  shift
  for package in "$@"; do
    sed -n "/^$package==/,/[^\\\\]$/p" "$earwright_requirements/$list.txt"
  done
}
