"""Plans goals at least cost: what to do how often, and in which order.

Planning is production planning, then scheduling. How often each activity is done is decided by a
small integer program; then the counts are put in order.

1. **Possible or not** (reachability.py). Dijkstra over things: what it never reaches cannot be had.
   What it reaches carries the least that one of it can cost, all else shared. Where amounts are too
   small though everything is reachable, an infeasible program of all ways is the proof. Where no
   plan comes out and no proof either, solving goes on with ever more work, and in turn all stocks
   that can be reached are looked at (covering.py), which ends of itself: so it is always decided,
   unless a deadline has passed by ten seconds, and then that is told.
2. **Counts** (columns.py, amounts.py, formulation.py, model.py). A column for how often each way
   fires and one for whether it fires; rows for what each thing starts with, gains and loses.
   Mixtures of a tag are tokens of a pool, fuels that burn alike are one kind of piece, pieces are
   heat of one smelting way. Costs are whole ticks, so "nothing is cheaper by a tick" proves a plan
   best. landmarks.py and precedence.py add rows that hold for every plan, amounts.py small limits:
   they make the relaxation tight.
3. **Solving** (relaxation.py, branching.py). Branch and bound of our own, every relaxation solved
   by one HiGHS simplex that goes on from the last; a known plan is the cost to beat.
4. **Order** (schedule.py, order.py, batches.py). Greedily with some turning back, then by
   exhaustive search, whose pieces are joined.
5. **No order** (prefixes.py, solving.py). Counts can balance and yet have none, such as a tool that
   mines its own ore. Then rows are added that every plan obeys and these counts do not, and it is
   solved again; as the last resort counts proven to have no order are cut off with all below them.
6. **Stages** (scopes.py, burning.py, fuels.py, interchangeable.py, stages.py). One way for each
   thing; lean: no tool for speed, few fuels and mixtures; everything, without kinds of blocks that
   another does for and without what is not worth making to be burnt. Each bounds the next.
7. **Replay** (replay.py). Every plan is carried out on paper before it is returned, by other code.

How far from exact: a plan says `optimal` only when the last stage was solved out (with `proof`,
within many more cuts and any work; within counted work otherwise). Left out of the model: wear of
tools, slots of the inventory, distances between places, and that stations dug up and put down again
could give more than they cost (in Minecraft they give themselves). A way fires at most 4,096 times,
or sixteen times all that is there and wanted.
"""
