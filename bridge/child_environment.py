"""The environment a child process gets: a short list of variables, and never a secret.

Node runs well over a hundred packages that are not ours; none of them needs our keys.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

_PLAIN = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ"),
        *("TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
        # Windows starts no program without these
        *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE"),
        *("HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA"),
        "UV_THREADPOOL_SIZE",  # others that begin so are of a Python installer, with its passwords
        "TOWNSFOLK_HOST_PROBES",
    }
)
_PLAIN_BEGINNINGS = ("LC_", "XDG_", "NODE_")
_NETWORK = frozenset(
    {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"}
)
_NETWORK_BEGINNINGS = ("NPM_CONFIG_",)
_SECRET = re.compile(
    r"ANTHROPIC|CREDENTIAL|PASSPHRASE|(KEY|TOKEN|PASSWORD|PASSWD|SECRET|_AUTH|_PIN)$"
)


def child_environment(
    *, network: bool = False, environment: Mapping[str, str] | None = None, **more: str
) -> dict[str, str]:
    """What of our `environment` (`os.environ` unless given) a child gets, and `more`.

    With `network` also proxies, certificates and npm's own settings: an install needs them.
    Names are compared without case; names of secrets are left out whatever they begin with.
    """
    ours = os.environ if environment is None else environment
    return {name: ours[name] for name in ours if _passes(name.upper(), network)} | more


def _passes(name: str, network: bool) -> bool:
    if _SECRET.search(name):
        return False
    if name in _PLAIN or name.startswith(_PLAIN_BEGINNINGS):
        return True
    return network and (name in _NETWORK or name.startswith(_NETWORK_BEGINNINGS))
