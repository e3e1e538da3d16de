"""Carrying out goals: look around, plan, do one step after the other, prove it by the inventory.

look ─▶ met? ─▶ done                   plan impossible ─▶ seek what is out of sight, or say why
  ▲      │ no                                  ▲
  │      └──▶ plan ──▶ step ─▶ as planned? ─▶ the next step
  └────────── failed:   shortfall, lost tool, broken station, full bag, death ◀─┘

After a failed step everything is planned anew from what is there then; totals stay those of the
start. A plan that costs less than every one before is progress; `STALLS` failed steps without any
end the run.
"""
