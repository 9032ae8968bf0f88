//@ # The load alias table. Spec: docs/mechanisms/apcm.md.
//@ #
//@ # Ids are given in order, so the next id is known before the search ends. The result of the search meets the
//@ # coalescer's registers in the same cycle, so it is the critical path.
//@ keys apcm.manage

//@ if APCM_P
  localparam [LAT-1:0] ID_0 = 1;
//@ end
  genvar k;
//@ lowest lowest LAT
//@ number number LAT LID_W
//@ if APCM_P
//@ pick pick_pc LAT PC_W
//@ end

  // --- the load: the id that it has, or gets

  wire [LAT-1:0] found_at;
  wire [LAT-1:0] free_at = lowest(~used_q);
  wire           found   = |found_at;
  wire           give    = load_valid && !found && !clear;
  generate
    for (k = 0; k < LAT; k = k + 1) begin : id
      assign found_at[k] = used_q[k] && pc_q[k*PC_W +: PC_W] == load_pc;
//@ if storage.lat_pc == ff

      always @(posedge clk)
        if (give && free_at[k])
          pc_q[k*PC_W +: PC_W] <= load_pc;
//@ end
    end
  endgenerate
//@ if storage.lat_pc == latch
  assign pc_we    = {LAT{give}} & free_at;
  assign pc_wdata = load_pc;
//@ end

  always @(posedge clk)
    if (rst || clear)
      used_q <= {LAT{1'b0}};
    else if (give)
      used_q <= used_q | free_at;

  assign load_trk = found || !(&used_q);
  assign load_lid = found ? number(found_at) : number(free_at);
//@ if APCM_P

  // --- from an id back to its program counter

  wire [LAT-1:0] ask_at = used_q & (ID_0 << ask_id);
  assign ask_pc = pick_pc(ask_at, pc_q);
//@ end
