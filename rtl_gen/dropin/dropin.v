//@ # A drop-in: modules of a mechanism, wired as they are inside sm_mem and l2_top. Spec: docs/integrate.md.
//@ wiring 16
