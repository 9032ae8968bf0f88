hd_ram_1rw.v
hd_ram_1r1w.v
laws.v
coalescer.v
request_slot.v
l1d.v
sap.v
sm_mem.v
