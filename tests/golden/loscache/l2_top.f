hd_ram_1r1w.v
hd_ram_1r1w_m.v
hd_ram_1rw_m_sleep.v
l2_slice.v
gate_ctrl.v
l2_top.v
