"""Carries out goals: look around, plan, do the steps, check each against the inventory.

look ─▶ met? ─▶ done                   no plan ─▶ search further away, or say what is missing
  ▲      │ no                                  ▲
  │      └──▶ plan ──▶ step ─▶ as planned? ─▶ the next step
  └────────── failed:   shortfall, lost tool, broken station, full bag, death ◀─┘

After a failed step the run plans again from the world as it is then; goals like `+4` keep the
totals counted at the start. `ReplanLimit` says when it gives up.
"""
