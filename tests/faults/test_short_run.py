"""Two minutes of the fault harness; the hour is played by command, see CONTRIBUTING.md."""

from pathlib import Path

import pytest
from faults.run import play, small_disk
from faults.schedule import Kind, faults

pytestmark = [pytest.mark.real, pytest.mark.slow]

SEED = 7
MINUTES = 2.0


@pytest.mark.timeout(420)  # the last recovery may be slow
async def test_two_minutes_of_faults_break_no_promise(tmp_path: Path) -> None:
    with small_disk(tmp_path / "data") as may_fill:
        kinds = [kind for kind in Kind if may_fill or kind is not Kind.DISK_FULL]
        report = await play(tmp_path, SEED, MINUTES, faults(SEED, kinds), print)
    assert report.broken == [], f"play it again: python -m faults --seed {SEED}"
    assert len(report.mended) >= 2
    assert report.counts["lines acknowledged"] > 10
    assert report.counts["lines lost"] == 0
    assert report.counts["questions to the model"] > 5
