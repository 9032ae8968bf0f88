//@ # The L1 data cache: from request to lookup; the rest in its parts. Spec: docs/mechanisms/l1d.md; of lines with
//@ # sectors docs/mechanisms/sectored.md.
//@ #
//@ # Sets, ways and MSHRs are numbered in registers and one-hot everywhere else (names in _at), so that no path has
//@ # two wide multiplexers behind one another. A request is decided from what d_hit, d_full and d_mshr_eq already know
//@ # of its line.
//@ keys l1d.set_index l1d.allocate l1d.bypass_hit request_buffer.bypass prefetch.kind
//@ part set_index
//@ part verilog/next
//@ part verilog/lowest_number
//@ if SECTOR_FILL
//@ part verilog/any_of
//@ end
//@ # a value of `from` bits in `to` bits, which may be as many
//@ def widen(value, from, to)
{{/*@to*/-/*@from*/{1'b0}}, /*@value*/}
//@ end
//@ # numbers of the code
//@ def tag_w
/*@= TAG_W*/
//@ end
//@ def tag_check_w
/*@= TAG_CHECK_W*/
//@ end
//@ def data_check_w
/*@= DATA_CHECK_W*/
//@ end
//@ # the condition that empties the pipeline; a flush finds only prefetches in it
//@ def emptied
rst/*@if PREF*/ || flush/*@end*/
//@ end

  localparam [SETS-1:0]  SET_0  = 1;
//@ if ON_MISS
  localparam [WAYS-1:0]  WAY_0  = 1;
//@ end
  localparam [MSHRS-1:0] MSHR_0 = 1;
//@ if SECTOR_FILL
  localparam SECTOR_ROWS = SETS * SECTORS; // of sectors: those of a set follow each other
  localparam [SECTOR_ROWS-1:0] ROW_0  = 1;
//@ end
  localparam [MQ-1:0]    MQ_0   = 1;
  genvar s, w/*@if WAYS > 1*/, o/*@end*/, m/*@if SECTOR_FILL*/, p/*@end*/;

  /*@lowest_number(lowest_mshr, MSHRS, MSHR_W)*/
//@ number number_of_mshr MSHRS MSHR_W
//@ number number_of_way WAYS WAY_W
//@ pick pick_ways SETS WAYS
//@ if WAYS > 1
//@ pick pick_number SETS WAY_W
//@ end
//@ pick pick_set MSHRS SET_W
//@ if SECTOR_FILL
//@ number number_of_sector SECTORS SECTOR_W
//@ pick pick_row SECTOR_ROWS WAYS
//@ pick pick_sector MSHRS SECTOR_W
  /*@any_of(any_sector, SECTORS, WAYS)*/
//@ end
//@ if PROTECT
//@ check tag_check @tag_w @tag_check_w
//@ check word_check 64 @data_check_w
//@ end
//@ if SECDED
//@ mend word_mend 64 @data_check_w
//@ end
//@ pick pick_count MSHRS MERGE_W
//@ if ON_MISS
//@ pick pick_way MSHRS WAY_W
//@ else
//@ pick pick_tag MSHRS TAG_W
//@ if TOOK_LINE
//@ pick pick_line MSHRS LINE_W
//@ end
//@ end

  wire             fill_now = f_commit_q;              // a fill enters the cache: decisions wait for it; f_valid_q is 1 then
//@ if FILL
  wire             fill_asks = f_ask_q;                // a fill enters in the next cycle: decisions wait; f_valid_q is 1 then
//@ end
  wire             done;                               // d's request is decided
//@ if AGAIN
  wire             moves;                              // d has nothing left to decide, or its load is to come again
//@ else
  wire             moves   = !d_valid_q || done;       // d has nothing left to decide
//@ end
//@ if PREF
  wire             advance = moves || flush;           // the pipeline moves
//@ else
  wire             advance = moves;                    // the pipeline moves
//@ end
  wire             miss;                               // d's request takes an MSHR
  wire             f_gives;                            // an answer goes to the response register
  wire             f_over;                             // and it is f's last answer
//@ if BEHIND
  wire             direct   = f_valid_q && f_kind_q[0]; // f's answer is a bypassed load's: it goes to the SM as it is
  wire             f_leaves = direct && !resp_v_q && resp_ready; // and the SM takes it
//@ end
  wire [MSHRS-1:0] next_at = MSHR_0 << m_next_q;       // the MSHR that a miss takes
  wire [MSHRS-1:0] taken;                              // the MSHR that d's request takes
  wire [MSHRS-1:0] freed;                              // the MSHR whose last load is answered
  wire [WAYS-1:0]  victim_at;                          // the victim's way
  wire [WAY_W-1:0] victim_way;                         // its number
  wire [WAYS-1:0]  drop_at;                            // ways whose lines d's request invalidates
  wire [WAYS-1:0]  come_at;                            // the way in which a fill's line appears
//@ if ON_MISS
  wire [WAYS-1:0]  reserve_at;                         // the way that d's request reserves
//@ end
//@ if PROTECT
  wire [WAYS-1:0]  c_gone;                             // ways of c's set whose lines are dropped, since bits of them have flipped
  wire [WAYS-1:0]  d_gone;                             // the same for d's set
//@ end
//@ if PINS && ON_MISS || LATE_TAKE || PINS && PREF
  wire [WAYS-1:0]  take_at;                            // the way that d's load takes: it reserves or adopts it
//@ end

//@ if SECTOR_FILL
  wire [SECTOR_W-1:0]   c_sector = number_of_sector(c_sectors_q);
  wire [SECTOR_W-1:0]   d_sector = number_of_sector(d_sectors_q);
  wire [SECTOR_ROWS-1:0] c_row_at = ROW_0 << {c_set_q, c_sector};
  wire [SETS*WAYS-1:0]  there; // bit w of a set: a sector of the line is valid or reserved
//@ if WAYS > 1
  wire [SETS*WAYS-1:0]  held;  // a sector of the line is reserved
//@ end

//@ end
  // --- MSHRs looked up: by the line in c, and by the number of a fill

  wire [MSHRS-1:0]       f_at = MSHR_0 << f_id_q;
  wire                   answering = f_valid_q && f_kind_q == 2'd0/*@if FILL*/ && !fill_asks/*@end*/;
  wire [MSHRS-1:0]       answered  = {MSHRS{answering}} & f_at; // the MSHR of the fill in f: loads to its line no longer merge
  wire [MSHRS-1:0]       c_line_eq;
  wire [MSHRS*SET_W-1:0] mshr_set;
//@ if !ON_MISS
  wire [MSHRS*TAG_W-1:0] mshr_tag;
//@ end
  generate
    for (m = 0; m < MSHRS; m = m + 1) begin : look
      wire [LINE_W-1:0] line = mshr_line_q[m*LINE_W +: LINE_W];
      assign c_line_eq[m] = line == c_line_q/*@if SECTOR_FILL*/ && mshr_sector_q[m*SECTOR_W +: SECTOR_W] == c_sector/*@end*/;
      assign mshr_set[m*SET_W +: SET_W] = /*@set_of(line)*/;
//@ if !ON_MISS
      assign mshr_tag[m*TAG_W +: TAG_W] = /*@tag_of(line)*/;
//@ end
    end
  endgenerate

//@ if !SECTOR_FILL
  wire [SETS-1:0]  f_set_at   = SET_0 << f_set_q;
//@ end
  wire             fill_stays = fill_now && !(|(mshr_dead_q & f_at))/*@if ERRORS*/ && !f_error_q/*@end*//*@if PREF*/ && !flush/*@end*//*@if FILL && PINS*/ && !f_stuck_q/*@end*/;
//@ if ON_MISS
  wire [WAYS-1:0]  f_way_at   = WAY_0 << f_way_q;
//@ end
//@ part l1d_input
//@ part l1d_lookup
//@ part l1d_decide
//@ part l1d_victim
//@ if SECTOR_FILL
//@ part l1d_sectors
//@ else
//@ part l1d_lines
//@ end
//@ part l1d_mshrs
//@ if PINS
//@ part l1d_pins
//@ end
//@ part l1d_queue
//@ part l1d_fills
//@ part l1d_response
//@ if PROTECT
//@ part l1d_ecc
//@ end
//@ part l1d_outcome
//@ part l1d_hooks
