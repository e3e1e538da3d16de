"""Runs npm once, to fill a folder with exactly the locked packages, and says in plain words
what went wrong when it cannot."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from bridge.child_environment import child_environment
from bridge.errors import NodeSetupError

Progress = Callable[[str], None]

_FLAGS = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--no-color")
_TOLD_LINES = 6  # of npm's own words in our error
_NO_CAUSE = ("complete log", "TAR_ENTRY_ERROR")  # lines of errors that say no more than others
_FETCHES = {
    "npm_config_fetch_retry_mintimeout": "1000",
    "npm_config_fetch_retry_maxtimeout": "3000",
    "npm_config_fetch_timeout": "30000",
}
"""npm tries an address three times; by its own defaults it waits 70 s in between, and 300 s for a
connection on which nothing comes."""
TOLD_AFTER_S = 8.0  # without anything from the registry
_NOTHING_YET = "; nothing has come from the registry yet"
_KEPT_BYTES = 64 * 1024

_NETWORK = re.compile(
    r"E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH|40[13478]|5\d\d)"
    r"|ERR_SOCKET_TIMEOUT|FETCH_ERROR|network"
)
_CERTIFICATE = re.compile(r"\b\w*(CERT|SELF_SIGNED|UNABLE_TO_VERIFY_LEAF)\w*\b|self.signed cert")
_DISK = re.compile(r"ENOSPC|EACCES|EPERM|EROFS|EDQUOT")

_REGISTRY_HELP = (
    "npm could not fetch the packages from its registry. This is needed once; afterwards no "
    "network is used. Behind a mirror or a proxy, tell npm: `npm config set registry URL`, "
    "`npm config set proxy URL`, a .npmrc in your home folder, or the environment variables "
    "npm_config_registry and HTTPS_PROXY. Then start again."
)
_CERTIFICATE_HELP = (
    "npm does not trust the certificate of its registry; behind a company's proxy it is the "
    "company's own. Get that as a file (PEM), set NODE_EXTRA_CA_CERTS=FILE and start again. If "
    "the clock of this machine is wrong, set it. `npm config set strict-ssl false` leaves "
    "certificates unchecked: only where you trust the whole way. The network is needed once."
)
_DISK_HELP = (
    "the disk is full or not writable. The packages need about 600 MB there while they are "
    "installed, then 150; XDG_CACHE_HOME chooses another place."
)


async def install(
    folder: Path,
    *,
    npm: Sequence[str | Path],
    cache: Path,
    what: str,
    progress: Progress,
    deadline_s: float,
    silent_s: float,
    tick_s: float,
) -> None:
    """Install what `folder`'s lock names into its node_modules. Raises `NodeSetupError`.

    `npm` is the command; `cache` is npm's own cache of downloads; `what` begins each progress
    line, one every `tick_s`. Without anything from the registry it fails after `silent_s`."""
    arrivals = _Arrivals((cache / "_cacache", folder / "node_modules"), silent_s)
    # Packages' tools look for `node` in PATH: the one that runs npm comes first.
    path = os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", "")])
    ours = child_environment(network=True, npm_config_update_notifier="false")
    process = await asyncio.create_subprocess_exec(
        *npm,
        *_FLAGS,
        "--cache",
        cache,
        cwd=folder,
        env={**_FETCHES, **ours, "PATH": path},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,  # so that whatever it starts ends with it
    )
    try:
        async with asyncio.timeout(deadline_s):
            said = await _watch(process, f"{what}: ", progress, arrivals, tick_s)
    except _Silent:
        raise NodeSetupError(
            f"{what} failed: nothing came from the registry within {silent_s:g} s. {_REGISTRY_HELP}"
        ) from None
    except TimeoutError:
        raise NodeSetupError(f"{what}: not done after {deadline_s:g} s; {_REGISTRY_HELP}") from None
    finally:
        await _end(process)
    if process.returncode != 0:
        raise NodeSetupError(_explain(what, process.returncode, said))


class _Silent(Exception):
    """The registry takes connections, or not even these, and sends nothing."""


class _Arrivals:
    """Whether anything has come from the registry: npm itself says nothing until it is done."""

    def __init__(self, folders: Sequence[Path], silent_s: float) -> None:
        self._folders, self._silent_s = folders, silent_s
        self._is_any = False

    def told_after(self, waited_s: float) -> str:
        """What a progress line adds. Raises _Silent."""
        walks = (os.walk(folder) for folder in self._folders)
        self._is_any = self._is_any or any(files for walk in walks for _, _, files in walk)
        if self._is_any:
            return ""
        if waited_s >= self._silent_s:
            raise _Silent
        return _NOTHING_YET if waited_s >= TOLD_AFTER_S else ""


async def _watch(
    process: asyncio.subprocess.Process,
    what: str,
    progress: Progress,
    arrivals: _Arrivals,
    tick_s: float,
) -> str:
    """What npm said, its end at least; a progress line at every tick meanwhile."""
    begun_s = time.monotonic()
    reading = asyncio.ensure_future(_read(process))
    try:
        while not reading.done():
            waited_s = time.monotonic() - begun_s
            progress(f"{what}{waited_s:.0f} s{arrivals.told_after(waited_s)}")
            await asyncio.wait([reading], timeout=tick_s)
        return await reading
    finally:
        reading.cancel()


async def _read(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    kept = b""
    while chunk := await process.stdout.read(4096):
        kept = (kept + chunk)[-_KEPT_BYTES:]
    await process.wait()
    return kept.decode(errors="replace")


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:  # Windows
                process.kill()
    await process.wait()


def _explain(what: str, code: int | None, said: str) -> str:
    lines = [line.strip() for line in said.splitlines()]
    errors = [line for line in lines if "error" in line.lower()] or lines
    causes = [line for line in errors if not any(words in line for words in _NO_CAUSE)]
    told = " | ".join(list(dict.fromkeys(causes or errors))[:_TOLD_LINES])
    if any(_DISK.search(line) for line in errors):
        return f"{what} failed: {_DISK_HELP} npm said: {told}"
    if any(_CERTIFICATE.search(line) for line in errors):
        return f"{what} failed: {_CERTIFICATE_HELP} npm said: {told}"
    if any(_NETWORK.search(line) for line in errors):
        return f"{what} failed: {_REGISTRY_HELP} npm said: {told}"
    return f"{what} failed with exit code {code}. npm said: {told}"
