//@ # The L2 slice: its signals to the attachment that powers lines off.

  // --- the hook SLEEP

  assign look_valid  = look;
  assign look_set    = q_set;
  assign looked_set  = b_set;
  assign looked_pred = b_pred_q;

  // 1 count, 2 wake, 3 keep the tag, 4 count and sleep, 5 sleep: all but the last with a touch
  assign act[0]  = hit_done && !closes || merge && found || new_tag && !stored || f_ends/*@if L2_MAINT*/ || mt_sleep/*@end*/;
  assign act[1]  = new_tag;
  assign act[2]  = hit_done && closes || f_ends/*@if L2_MAINT*/ || mt_sleep/*@end*/;
  assign act_set = b_rep_q ? f_set : b_set;
//@ if L2_WAKES
  assign act_mshr = free_mshr;
//@ end
  wire touches = merge || fresh && (hit ? !leaves || out_room : may_miss); // used_at, if anything
  assign act_at  = used_at & {L2_WAYS{touches}} | /*@if L2_WAYS > 1*/(WAY_0 << f_way) & /*@end*/{L2_WAYS{f_ends}}/*@if L2_MAINT*/ | mt_off & {L2_WAYS{mt_sleep}}/*@end*/;
