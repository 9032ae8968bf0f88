hd_ram_1rw.v
hd_ram_1r1w.v
sched.v
coalescer.v
mrpb.v
l1d.v
sm_mem.v
