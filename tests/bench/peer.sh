# Sourced with $earwright_root as the working folder: $peer is a venv with SpeechBrain, made once, on the very LibTorch that Earwright is
# linked with.
peer=build/peer
if [ ! -e "$peer/ready" ]; then
  echo "Installing SpeechBrain into $peer (once)"
  python3 -m venv "$peer"
  echo "$earwright_site" >"$("$peer/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')/torch.pth"
  pip_install "$peer" peer
  touch "$peer/ready"
fi

# FunASR beside it, with what its Paraformer's modules and AutoModel import of its many dependencies: no numba, no scikit-learn.
install_funasr() {
  # omegaconf came later than the rest
  [ -e "$peer/funasr-ready" ] && "$peer/bin/python" -c "import omegaconf" 2>/dev/null && return
  echo "Installing FunASR into $peer (once)"
  pip_install "$peer" peer_funasr -- --no-deps
  touch "$peer/funasr-ready"
}

# KenLM's Python module, for SpeechBrain's searches.
install_kenlm() {
  [ -e "$peer/decoders-ready" ] && return
  echo "Installing KenLM's Python module into $peer (once)"
  pip_install "$peer" peer_kenlm -- --no-deps
  touch "$peer/decoders-ready"
}

# Another count of word errors.
install_jiwer() {
  [ -e "$peer/jiwer-ready" ] && return
  echo "Installing jiwer into $peer (once)"
  pip_install "$peer" peer_jiwer
  touch "$peer/jiwer-ready"
}

# A venv of transformers, which wants another huggingface-hub than SpeechBrain does, and sees what is in $peer behind its own.
install_transformers() {
  peer_transformers=build/peer-transformers
  if [ -e "$peer_transformers/ready" ]; then return; fi
  echo "Installing transformers into $peer_transformers (once)"
  python3 -m venv "$peer_transformers"
  local purelib='import sysconfig; print(sysconfig.get_paths()["purelib"])'
  printf '%s\n' "$earwright_site" "$("$PWD/$peer/bin/python" -c "$purelib")" \
    >"$("$peer_transformers/bin/python" -c "$purelib")/peer.pth"
  pip_install "$peer_transformers" peer_transformers
  touch "$peer_transformers/ready"
}
