"""A course from above: ground, paths, names, and what is told, frame by frame."""

import io

from PIL import Image
from PIL.Image import Image as Picture

from bots.vision.course import Course, Ground, Moment, frames_of
from bots.vision.drawing import png_of

WORLD = "overworld"
RED, SAND = (214, 60, 50), (219, 211, 160)


def picture(frame: bytes) -> Picture:
    return Image.open(io.BytesIO(frame)).convert("RGB")


def count(frame: bytes, colour: tuple[int, int, int]) -> int:
    return sum(n for n, found in picture(frame).getcolors(1 << 20) or () if found == colour)


def walk(*xs: float, world: str = WORLD) -> list[Moment]:
    return [
        Moment(float(n), {"Alice": (x, 8.0, world)}, f"step {n}" if n else "")
        for n, x in enumerate(xs)
    ]


def test_a_path_grows_and_all_frames_have_one_size() -> None:
    frames = frames_of(Course(walk(0, 5, 10, 15)), most=10)
    assert len(frames) == 4
    assert len({picture(frame).size for frame in frames}) == 1
    painted = [count(frame, RED) for frame in frames]
    assert painted == sorted(set(painted))


def test_who_is_carried_far_leaves_no_path() -> None:
    walked, carried = (frames_of(Course(walk(*xs)), 9) for xs in ((0, 12, 24), (0, 0, 24)))
    assert count(walked[-1], RED) > count(carried[-1], RED)


def test_of_many_moments_the_first_the_last_and_every_path_are_shown() -> None:
    moments = walk(*range(40))
    few, all_of_them = frames_of(Course(moments), 5), frames_of(Course(moments), 40)
    assert len(few) == 5
    assert (few[0], few[-1]) == (all_of_them[0], all_of_them[-1])


def test_the_ground_lies_where_it_is_in_the_world() -> None:
    sand = Image.new("RGB", (4, 4), SAND)
    here = Ground(png_of(sand), west=10, north=5)
    elsewhere = Ground(png_of(sand), west=0, north=5, world="the_nether")
    (frame,) = frames_of(Course(walk(0), grounds=[here, elsewhere]), 1)
    (plain,) = frames_of(Course(walk(0), grounds=[elsewhere]), 1)
    assert count(plain, SAND) == 0
    width = picture(frame).width
    assert count(frame, SAND) == (4 * (width // 32)) ** 2


def test_names_that_stand_close_together_do_not_cover_each_other() -> None:
    close = dict.fromkeys(("Alice", "Bob"), (8.0, 8.0, WORLD))
    (one,) = frames_of(Course([Moment(0, {"Alice": (8.0, 8.0, WORLD)})]), 1)
    (two,) = frames_of(Course([Moment(0, close)]), 1)
    assert count(two, (0, 0, 0)) > count(one, (0, 0, 0)) + 200


def test_what_is_told_stands_below_and_breaks_nothing_however_long() -> None:
    told = [Moment(75, {"Alice": (0.0, 0.0, WORLD)}, words) for words in ("", "世界 " * 200)]
    empty, full = frames_of(Course(told), 2)
    assert picture(empty).size == picture(full).size
    assert empty != full


def test_the_dimension_where_most_happens_is_shown() -> None:
    moments = [*walk(0, 5, 10), *walk(900, world="the_nether")]
    assert picture(frames_of(Course(moments), 4)[0]).width < 500
    assert frames_of(Course([Moment(0, {})]), 4) == []
    assert frames_of(Course([]), 4) == []
