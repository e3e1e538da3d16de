"""Finds the cheapest plan for goals: what to do, how often, in which order.

A small integer program decides how often each activity is done. Then the counts are put in order.
An activity that counts blocks near as well as items is a *way*; doing it once is a *firing*.

1. **Is it possible?** (reachability.py). Dijkstra over things. What it does not reach cannot be
   had. For what it reaches, it gives a lower bound on the cost of one, as if all else were shared.
   When everything is reachable but the amounts are too small, the program with all ways is
   infeasible, and that is the proof. When solving ends without a plan and without a proof, it is
   repeated with more and more work. After each attempt solving.py searches the stocks that can be
   reached; that search always terminates. So every question gets an answer, unless the deadline has
   passed by ten seconds. The plan then says that it is undecided.
2. **Counts** (program.py). Each way has two columns: how often it fires, and whether it fires at
   all. The rows balance what each thing starts with, gains and loses. Items of a tag become tokens
   of a pool. Fuels that burn equally long become one kind of piece. Pieces become heat for one
   smelting way. Costs are whole ticks, so a plan is optimal when none is cheaper by a tick. Rows
   that hold for every plan (cuts.py) and small upper limits make the relaxation tight.
3. **Solving** (branch_and_bound.py). A branch and bound of our own. One HiGHS simplex solves all
   relaxations, each from where the last one ended. The cost of a known plan is the cutoff.
4. **Order** (order.py). A greedy search with some backtracking comes first, then an exhaustive one;
   the firings of the latter are joined.
5. **No order** (cuts.py, solving.py). Balanced counts may have no order: a tool that mines its own
   ore, for example. Then rows are added that every plan satisfies and these counts do not, and the
   program is solved again. As a last resort the counts are cut off, together with all counts in
   which no way fires more often.
6. **Stages** (scopes.py, solving.py). First one way for each thing. Then a lean set: no tool made
   for speed, few fuels and mixtures. Then everything but blocks that another kind can replace and
   fuels that are not worth making. The plan of each stage bounds the cost of the next.
7. **Replay** (replay.py). Every plan is simulated by separate code before it is returned.

Limits: a plan is `optimal` only if the last stage was solved to the end: with `proof` it may make
many more cuts and work without limit, otherwise it has a fixed amount of work. The model ignores
wear of tools, slots of the inventory, distances between places (each way costs what it takes from
where the bot is: domain/costs.py), and any gain from digging stations up and placing them
again (in Minecraft a station only gives itself). A way fires at most 4,096 times, or sixteen times
what is wanted and there if that is more.
"""
