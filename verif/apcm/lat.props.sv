//@ # Properties of the load alias table (docs/mechanisms/apcm.md).
//@ small sm.warps=4 sm.ctas=2 sm.pc_bits=8 apcm.loads=4

  (* anyconst *) reg [PC_W-1:0]  pc;       // any load, and any two ids
  (* anyconst *) reg [LID_W-1:0] id, other;
  ids: assume property (id < /*@= LAT*/ && other < /*@= LAT*/ && id != other);

  reg             given;  // the load has got an id since the last clear
  reg [LID_W-1:0] got;    // its id
  always @(posedge clk)
    if (rst || clear)
      given <= 1'b0;
    else if (load_valid && load_pc == pc && load_trk) begin
      given <= 1'b1;
      got   <= load_lid;
    end

  reg [/*@= LAT*/-1:0] with_pc; // the ids given to the load
  integer i;
  always @*
    for (i = 0; i < /*@= LAT*/; i = i + 1)
      with_pc[i] = used_q[i] && pc_q[i*PC_W +: PC_W] == pc;

  in_clear: assume property (clear |-> !load_valid);

  keeps_id:   assert property (given && load_pc == pc |-> load_trk && load_lid == got);
  known:      assert property (given |-> with_pc == 1 << got);
  unknown:    assert property (!given |-> with_pc == 0);
  in_order:   assert property ((used_q & (used_q + 1)) == 0);
  one_each:   assert property (used_q[id] && used_q[other] |-> pc_q[id*PC_W +: PC_W] != pc_q[other*PC_W +: PC_W]);
  gets_one:   assert property (!(&used_q) |-> load_trk);
  none_left:  assert property (&used_q && load_pc == pc && !given |-> !load_trk && load_lid == 0);
//@ if APCM_P
  tells_pc:   assert property (ask_id == id |-> ask_pc == (used_q[id] ? pc_q[id*PC_W +: PC_W] : {PC_W{1'b0}}));
//@ end
