//@ # Properties of the probe units (docs/mechanisms/memsched.md), for any unit and any line of any set.
//@ small l1d.sets=2 l1d.ways=2 request_buffer.probes=2 LINE_W=3

  (* anyconst *) reg [0:0] unit;

  // All written tags. A line is valid or reserved only if its tag was written.
  reg [SETS*WAYS*TAG_W-1:0] tag;
  reg [SETS*WAYS-1:0]       written;
  reg                       past, there;      // one cycle, two cycles have passed since the reset
  reg [WAYS-1:0]            we;               // the ways written in the last cycle
  reg [SET_W-1:0]           at;               // their set
  reg [LINE_W-1:0]          line;             // the line given to the unit in the last cycle
  reg                       hit, can;         // the expected answer for the line that counted in the last cycle
//@ if PROBE_EARLY
  // The line that counts is the one given to the unit now; is_new: the ways written now.
  wire [LINE_W-1:0]         asked  = pr_line[unit*LINE_W +: LINE_W];
  wire [WAYS-1:0]           is_new = late_tag_set == set ? late_tag_we : {WAYS{1'b0}};
  wire                      told   = past;
//@ else
  // The line that counts is the one given to the unit in the last cycle; is_new: the ways written then.
  wire [LINE_W-1:0]         asked  = line;
  wire [WAYS-1:0]           is_new = at == set ? we : {WAYS{1'b0}};
  wire                      told   = there;
//@ end
  wire [SET_W-1:0]          set = asked[SET_W-1:0];
  reg [WAYS-1:0]            match;
  wire [WAYS-1:0]           valid    = lines_valid[set*WAYS +: WAYS];
  wire [WAYS-1:0]           reserved = lines_reserved[set*WAYS +: WAYS];
  integer s, w;
  always @(posedge clk) begin
    for (s = 0; s < SETS; s = s + 1)
      for (w = 0; w < WAYS; w = w + 1)
        if (late_tag_we[w] && late_tag_set == s)
          tag[(s*WAYS + w)*TAG_W +: TAG_W] <= late_tag;
    for (s = 0; s < SETS; s = s + 1)
      for (w = 0; w < WAYS; w = w + 1)
        written[s*WAYS + w] <= !rst && (written[s*WAYS + w] || (late_tag_we[w] && late_tag_set == s));
    past  <= !rst;
    there <= !rst && past;
    we    <= rst ? {WAYS{1'b0}} : late_tag_we;
    at    <= late_tag_set;
    line  <= pr_line[unit*LINE_W +: LINE_W];
    hit   <= |(match & valid);
    can   <= |(match & reserved) || (!(&reserved) && lines_free && lines_room);
  end
  always @*
    for (w = 0; w < WAYS; w = w + 1)
      match[w] = tag[(set*WAYS + w)*TAG_W +: TAG_W] == asked[LINE_W-1:SET_W] && !is_new[w];
//@ if PROBE_LATE

  reported:   assume property (outcome_write == (we != 0) && (we == 0 || (outcome_at == we && outcome_set == at)));
//@ end
  has_a_tag:  assume property (((lines_valid | lines_reserved) & ~written) == 0);
  not_both:   assume property ((lines_valid & lines_reserved) == 0);

  is_there:   assert property (told && hit |-> pr_hit[unit]);
  not_there:  assert property (told && !hit |-> !pr_hit[unit]);
  can_go:     assert property (told && can |-> pr_can[unit]);
  can_not:    assert property (told && !can |-> !pr_can[unit]);

//@ if PROBE_EARLY
  // The unit's registers for the ways of the set that counted in the last cycle, and the tags of these ways then.
  reg [WAYS-1:0]       held, waits;
  reg                  room;
  reg [WAYS*TAG_W-1:0] was;
  always @(posedge clk) begin
    held  <= rst ? {WAYS{1'b0}} : valid & ~is_new;
    waits <= rst ? {WAYS{1'b0}} : reserved & ~is_new;
    room  <= !rst && !(&reserved) && lines_free && lines_room;
    was   <= tag[set*WAYS*TAG_W +: WAYS*TAG_W];
  end
  state_knows: assert property (past |-> pr_held_q[unit*WAYS +: WAYS] == held && pr_wait_q[unit*WAYS +: WAYS] == waits && pr_room_q[unit] == room);

//@ end
  // For the induction: the copies hold the written tags, and their read data are equal to these.
  reg copied, fresh;
  always @* begin
    copied = 1'b1;
    fresh  = 1'b1;
//@ for u PROBES
//@ for b WAYS
    for (s = 0; s < SETS; s = s + 1)
      copied = copied && (!written[s*WAYS + /*@b*/] || tags_/*@u*/_/*@b*/_rows[s*TAG_W +: TAG_W] == tag[(s*WAYS + /*@b*/)*TAG_W +: TAG_W]);
//@ if PROBE_EARLY
    fresh = fresh && (unit != /*@u*/ || !(held[/*@b*/] || waits[/*@b*/]) || tags_/*@u*/_/*@b*/_rdata == was[/*@b*/*TAG_W +: TAG_W]);
//@ else
    fresh = fresh && (unit != /*@u*/ || !written[set*WAYS + /*@b*/] || is_new[/*@b*/]
                      || tags_/*@u*/_/*@b*/_rdata == tag[(set*WAYS + /*@b*/)*TAG_W +: TAG_W]);
//@ end
//@ end
//@ end
  end
  state_copied: assert property (copied);
  state_read:   assert property (past |-> fresh);
//@ if PROBE_EARLY
  state_said:   assert property (past |-> hit == |(held & same(was, line[LINE_W-1:SET_W])) && can == (|(waits & same(was, line[LINE_W-1:SET_W])) || room));

  // Returns the ways with this tag.
  function [WAYS-1:0] same(input [WAYS*TAG_W-1:0] tags, input [TAG_W-1:0] like);
    integer i;
    for (i = 0; i < WAYS; i = i + 1)
      same[i] = tags[i*TAG_W +: TAG_W] == like;
  endfunction
  state_line:   assert property (past |-> pr_tag_q[unit*TAG_W +: TAG_W] == line[LINE_W-1:SET_W]);
//@ else
  state_line:   assert property (past |-> pr_q_q[unit*LINE_W +: LINE_W] == line);
//@ end
