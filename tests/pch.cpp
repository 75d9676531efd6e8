// Nothing of its own: headers are precompiled for a target, and a target has a source.
