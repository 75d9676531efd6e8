# Sourced with $earwright_root as the working folder: $peer is a venv with SpeechBrain, made once, on the very LibTorch that Earwright is
# linked with.
peer=build/peer
if [ ! -e "$peer/ready" ]; then
  echo "Installing SpeechBrain into $peer (once)"
  python3 -m venv "$peer"
  echo "$earwright_site" >"$("$peer/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')/torch.pth"
  "$peer/bin/pip" install --quiet --disable-pip-version-check torchaudio==2.11.0 speechbrain==1.1.2 soundfile safetensors
  touch "$peer/ready"
fi

# FunASR beside it, with what its Paraformer's modules import of its many dependencies: no numba, no scikit-learn.
install_funasr() {
  [ -e "$peer/funasr-ready" ] && return
  echo "Installing FunASR into $peer (once)"
  "$peer/bin/pip" install --quiet --disable-pip-version-check --no-deps funasr==1.4.16 librosa==0.11.0 lazy_loader kaldiio six \
    rapidfuzz torch_complex
  touch "$peer/funasr-ready"
}

# KenLM's Python module, for SpeechBrain's searches.
install_kenlm() {
  [ -e "$peer/decoders-ready" ] && return
  echo "Installing KenLM's Python module into $peer (once)"
  "$peer/bin/pip" install --quiet --disable-pip-version-check kenlm==0.3.0 pygtrie
  touch "$peer/decoders-ready"
}
