// Runs the same transfers at the control registers of configs/apb and at module apb_reference, and compares the answers.
// PeakRDL-regblock makes apb_reference from the SystemRDL of these registers; it answers with an error for addresses that are not
// in the map, and for writes to registers that are read only. For Verilator. Plusargs: seed, transfers.
// The last line of the output is "reads N writes N errors N counters N: M differences".
//
// The reference knows only the SystemRDL. It is not asked for anything that the SystemRDL does not say: the effect of an enable, a
// threshold or a counter (it is told the counters); addresses that are no multiple of 4; thresholds out of their range (our
// registers refuse these, and only they are tested for it); the upper half of a counter that moves.
module bench;
  localparam CONTROL = 12'h010, ENABLE = 12'h014, ACTIVE = 12'h018, MSHRS = 12'h08c, PLACES = 12'h090, COUNTERS = 12'h100;

  logic        clk = 0, rst = 1, psel = 0, other_psel = 0, penable = 0, pwrite = 0, flush = 0, rests = 0;
  logic [11:0] paddr = 0;
  logic [31:0] pwdata = 0;
  logic [3:0]  pstrb = 0;
  logic [1:0]  pick_valid = 0;
  logic [10:0] ev = 0;

  wire         pready, pslverr, other_pready, other_pslverr, memsched_en, casc_en, mascar_en;
  wire  [31:0] prdata, other_prdata;
  wire  [4:0]  mascar_mshrs;
  wire  [2:0]  mascar_places;

  apb_regs u_regs (
    .clk, .rst, .s_apb_psel(psel), .s_apb_penable(penable), .s_apb_paddr(paddr), .s_apb_pwrite(pwrite), .s_apb_pwdata(pwdata),
    .s_apb_pstrb(pstrb), .s_apb_pready(pready), .s_apb_prdata(prdata), .s_apb_pslverr(pslverr), .flush, .pick_valid,
    .ev_issues(ev[0]), .ev_issue_waits(ev[1]), .ev_loads(ev[2]), .ev_hits(ev[3]), .ev_merges(ev[4]), .ev_misses(ev[5]),
    .ev_bypasses(ev[6]), .ev_evictions(ev[7]), .ev_reads(ev[8]), .ev_writes(ev[9]), .ev_memory_waits(ev[10]), .memsched_en, .casc_en,
    .mascar_en, .mascar_mshrs, .mascar_places);

  apb_reference_pkg::apb_regs__in_t  told;
  apb_reference_pkg::apb_regs__out_t said;
  apb_reference u_reference (
    .clk, .rst, .s_apb_psel(other_psel), .s_apb_penable(penable), .s_apb_pwrite(pwrite), .s_apb_pprot(3'd0), .s_apb_paddr(paddr),
    .s_apb_pwdata(pwdata), .s_apb_pstrb(pstrb), .s_apb_pready(other_pready), .s_apb_prdata(other_prdata),
    .s_apb_pslverr(other_pslverr), .hwif_in(told), .hwif_out(said));

  // what the hardware tells: the enables as they are, the counters in the order of the map
  always_comb begin
    told.active.memsched_en.next = memsched_en;
    told.active.casc_en.next = casc_en;
    told.active.mascar_en.next = mascar_en;
    told.cycles.count.next = u_regs.count_q[0*48 +: 48];
    told.instructions.count.next = u_regs.count_q[1*48 +: 48];
    told.issues.count.next = u_regs.count_q[2*48 +: 48];
    told.issue_waits.count.next = u_regs.count_q[3*48 +: 48];
    told.loads.count.next = u_regs.count_q[4*48 +: 48];
    told.hits.count.next = u_regs.count_q[5*48 +: 48];
    told.merges.count.next = u_regs.count_q[6*48 +: 48];
    told.misses.count.next = u_regs.count_q[7*48 +: 48];
    told.bypasses.count.next = u_regs.count_q[8*48 +: 48];
    told.evictions.count.next = u_regs.count_q[9*48 +: 48];
    told.reads.count.next = u_regs.count_q[10*48 +: 48];
    told.writes.count.next = u_regs.count_q[11*48 +: 48];
    told.memory_waits.count.next = u_regs.count_q[12*48 +: 48];
  end

  int seed = 1, transfers = 100000, reads = 0, writes = 0, errors = 0, counters = 0, bad = 0;
  int clears = 0, other_clears = 0;

  task automatic differs(string what, logic [31:0] ours, logic [31:0] theirs);
    bad++;
    if (bad <= 10)
      $display("%s of %03x (write %0d, data %08x, strobes %b): %08x, the reference has %08x", what, paddr, pwrite, pwdata, pstrb, ours,
               theirs);
  endtask

  task automatic cycle;
    #1 clk = 1;
    #1 clk = 0;
    clears += 32'(u_regs.clear_q);
    other_clears += 32'(said.control.clear.value);
    ev = 11'($urandom);
    pick_valid = 2'($urandom);
    flush = !rests && $urandom % 16 == 0;
  endtask

  // a transfer at one of the two
  task automatic transfer(bit other, output logic [31:0] data, output logic error);
    bit done = 0;
    psel = !other;
    other_psel = other;
    penable = 0;
    for (int i = 0; i < 16 && !done; i++) begin
      if (i > 0)
        penable = 1;
      done = penable && (other ? other_pready : pready);
      data = other ? other_prdata : prdata;
      error = other ? other_pslverr : pslverr;
      cycle;
    end
    if (!done)
      differs(other ? "no end at the reference" : "no end", 0, 0);
    psel = 0;
    other_psel = 0;
    penable = 0;
  endtask

  // At both. A register that counts is compared while it stands still.
  task automatic both(bit compare);
    logic [31:0] ours, theirs;
    logic        error, other_error;
    transfer(0, ours, error);
    transfer(1, theirs, other_error);
    if (error != other_error)
      differs("PSLVERR", 32'(error), 32'(other_error));
    if (!pwrite && !error && compare && ours != theirs)
      differs("the value", ours, theirs);
    reads += 32'(!pwrite);
    writes += 32'(pwrite);
    errors += 32'(error);
  endtask

  // What leaves them beside APB.
  task automatic outputs;
    for (int i = 0; i < 3; i++)
      cycle;
    flush = 1;
    cycle;
    cycle;
    if (mascar_mshrs != said.mascar_mshrs.value.value)
      differs("mascar_mshrs", 32'(mascar_mshrs), 32'(said.mascar_mshrs.value.value));
    if (mascar_places != said.mascar_places.value.value)
      differs("mascar_places", 32'(mascar_places), 32'(said.mascar_places.value.value));
    if (casc_en != said.enable.casc_en.value || mascar_en != said.enable.mascar_en.value || memsched_en != said.enable.memsched_en.value)
      differs("an enable", {29'd0, casc_en, mascar_en, memsched_en},
              {29'd0, said.enable.casc_en.value, said.enable.mascar_en.value, said.enable.memsched_en.value});
    if (u_regs.freeze_q != said.control.freeze.value)
      differs("freeze", 32'(u_regs.freeze_q), 32'(said.control.freeze.value));
    if (clears != other_clears)
      differs("pulses of clear", clears, other_clears);
  endtask

  task automatic reset;
    rst = 1;
    for (int i = 0; i < 3; i++)
      cycle;
    rst = 0;
    clears = 0;
    other_clears = 0;
  endtask

  // out of range: ours refuses it, and it keeps what it was
  task automatic refused(logic [11:0] address, logic [31:0] value);
    logic [31:0] data, was;
    logic        error;
    paddr = address;
    pwrite = 0;
    pstrb = 0;
    transfer(0, was, error);
    pwrite = 1;
    pstrb = 15;
    pwdata = value;
    transfer(0, data, error);
    if (!error)
      differs("taken though out of range: a write", value, 0);
    pwrite = 0;
    pstrb = 0;
    transfer(0, data, error);
    if (error || data != was)
      differs("changed by a write that was refused: the value", data, was);
  endtask

  function automatic logic [11:0] some_address;
    case ($urandom % 8)
      0, 1:    return 12'(4 * ($urandom % 9));
      2:       return $urandom % 2 == 0 ? MSHRS : PLACES;
      3:       return $urandom % 2 == 0 ? CONTROL : ENABLE;
      4, 5, 6: return 12'(COUNTERS + 4 * ($urandom % 32));
      default: return 12'(4 * ($urandom % 1024));
    endcase
  endfunction

  task automatic some_transfer;
    bit still = u_regs.freeze_q;
    paddr = some_address();
    pwrite = $urandom % 2 == 0;
    pstrb = !pwrite ? 0 : $urandom % 2 == 0 ? 15 : 4'($urandom);
    pwdata = $urandom;
    if (paddr == MSHRS)
      pwdata &= 31;
    if (paddr == PLACES)
      pwdata &= 7;
    if (!pwrite && paddr >= COUNTERS && paddr[2]) begin // a counter: both halves, the lower one first
      paddr[2] = 0;
      both(still);
      paddr[2] = 1;
      counters += 32'(still);
    end
    rests = paddr == ACTIVE; // no enable changes between the two
    both(paddr < COUNTERS || still);
    rests = 0;
  endtask

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("transfers=%d", transfers));
    void'($urandom(seed));
    told = '0;
    reset;
    for (int a = 0; a < 4096; a += 4) begin // every word as it is after a reset; but for what counts
      paddr = 12'(a);
      pwrite = 0;
      both(a < 32'(COUNTERS));
    end
    for (int i = 0; i < transfers; i++) begin
      some_transfer;
      if ($urandom % 64 == 0)
        outputs;
      if ($urandom % 64 == 0) begin
        refused(MSHRS, 32 << $urandom % 27);
        refused(PLACES, 8 << $urandom % 29);
      end
      if ($urandom % 1024 == 0)
        reset;
    end
    outputs;
    $display("reads %0d writes %0d errors %0d counters %0d: %0d differences", reads, writes, errors, counters, bad);
    $finish;
  end
endmodule
