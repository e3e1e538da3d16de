"""The types of settings. Each refuses a wrong value and says what would be right."""

from __future__ import annotations

import ipaddress
import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from bots.settings.secrets import HIDDEN, JoinLine, SecretUrl
from bots.text.language import normal
from bots.text.sanitise import sanitise
from bridge.foreign_json import NotJson, read_json
from bridge.versions import DialectName

MOST_HOSTS = 32

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})


def in_javascript(pattern: re.Pattern[str]) -> str:
    """A pattern as JavaScript, which runs it, writes named groups."""
    return pattern.pattern.replace("(?P<", "(?<")


def split_words(value: object) -> object:
    """`Alice,Bob` from the environment; a TOML list passes as it is."""
    if not isinstance(value, str):
        return value
    return tuple(word.strip() for word in value.split(",") if word.strip())


def check_name(name: str) -> str:
    """A player's name as it is. Raises ValueError with what would be right."""
    if not re.fullmatch(r"[A-Za-z0-9_]{1,16}", name):
        raise ValueError(f"{name!r} is no name; write 1 to 16 letters, digits or underscores")
    return name


def check_player(name: str) -> str:
    """A person's name as it is: a player's, or a Bedrock player's behind Floodgate. Raises
    ValueError with what would be right."""
    if not re.fullmatch(r"[.*+-]?[A-Za-z0-9_]{1,16}", name):
        raise ValueError(
            f"{name!r} is no name; write 1 to 16 letters, digits or underscores,"
            " for a Bedrock player with the dot in front"
        )
    return name


def _check_pin(pin: SecretStr) -> SecretStr:
    value = pin.get_secret_value()
    if not re.fullmatch(r"[A-Za-z0-9_.-]{8,64}", value) or value.isdigit():
        raise ValueError(
            "is no pin; write 8 to 64 letters, digits or -_. without blanks, and not digits alone"
        )
    return pin


def _without_mark(command: str) -> str:
    """`!info all` and `info all` name the same command."""
    return command.strip().removeprefix("!")


def _check_cast(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        raise ValueError("name at least one bot")
    if len({name.casefold() for name in names}) < len(names):
        raise ValueError("every bot needs a name of its own")
    return names


def _compile(pattern: object) -> object:
    if not isinstance(pattern, str):
        return pattern
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error


def _check_groups(pattern: re.Pattern[str]) -> re.Pattern[str]:
    if missing := {"sender", "text"} - pattern.groupindex.keys():
        raise ValueError(f"needs the named group (?P<{min(missing)}>…)")
    if (pattern.groupindex["sender"], pattern.groupindex["text"]) != (1, 2):
        raise ValueError("sender and text must be the first two groups; write others as (?:…)")
    return pattern


def parse_rows(value: object) -> object:
    """JSON from the environment; TOML's tables pass as they are."""
    if not isinstance(value, str):
        return value
    try:
        return read_json(value)
    except NotJson as error:
        raise ValueError('write a JSON list of objects, as [{"match": …}]') from error


def _check_sayable(text: str) -> str:
    if not sanitise(text):
        raise ValueError("holds nothing that can be said")
    return text


def _check_words(text: str) -> str:
    if not any(character.isalnum() for character in normal(text)):
        raise ValueError("needs at least one letter or digit")
    return text


def _check_whisper_command(command: str) -> str:
    name = command.strip().removeprefix("/")
    if name and not re.fullmatch(r"[a-z0-9_:-]{1,32}", name):
        raise ValueError(f"{command!r} is no command; write its name alone, as msg")
    return name


WhisperCommandName = Annotated[str, AfterValidator(_check_whisper_command)]
"""Or empty."""
Sayable = Annotated[str, Field(max_length=320), AfterValidator(_check_sayable)]
SayableWords = Annotated[str, Field(max_length=100), AfterValidator(_check_words)]


def _check_hosts(value: object) -> object:
    """A number, as text from the environment, or auto."""
    if str(value) == "auto":
        return "auto"
    if isinstance(value, bool) or str(value) not in map(str, range(1, MOST_HOSTS + 1)):
        raise ValueError(f"write auto or a number from 1 to {MOST_HOSTS}")
    return int(str(value))


def one_or_more(value: object) -> object:
    """A single text, as the environment gives it, is one of its kind."""
    return (value,) if isinstance(value, str) else value


def _check_ipv4(host: str) -> str:
    try:
        return str(ipaddress.IPv4Address(host))
    except ValueError:
        raise ValueError(
            f"{host!r} is no address of a network of this machine; write 127.0.0.1 for this"
            " machine alone or 0.0.0.0 for all its networks"
        ) from None


def _check_http(address: SecretUrl) -> SecretUrl:
    """Empty, or an http address."""
    if address and not _leads_to(address.get_secret_value(), "http", "https"):
        raise ValueError(_refusal(address, "address; write http://HOST:PORT"))
    return address


def _check_nats(address: SecretUrl) -> SecretUrl:
    if not _leads_to(address.get_secret_value(), "nats"):
        raise ValueError(_refusal(address, "broker; write nats://HOST:PORT"))
    return address


def _leads_to(address: str, *schemes: str) -> bool:
    """Whether it names a host by one of these schemes.

    An @ behind the host is of a password whose marks split the address at the wrong place."""
    try:
        parts = urlsplit(address)
        has_place = parts.hostname and parts.port != 0
    except ValueError:
        return False
    rest = f"{parts.path}{parts.query}{parts.fragment}"
    return bool(parts.scheme in schemes and has_place and "@" not in rest)


def _refusal(address: SecretUrl, right: str) -> str:
    """The address is quoted unless it may hold a password."""
    written = address.get_secret_value()
    if "@" in written:
        return f"this is no {right}; / ? # and , of a password are %2F %3F %23 and %2C"
    shown = "this" if "?" in written or str(address) == HIDDEN else repr(written)
    return f"{shown} is no {right}"


Words = Annotated[tuple[str, ...], BeforeValidator(split_words)]
PlayerNames = Annotated[
    tuple[Annotated[str, AfterValidator(check_player)], ...], BeforeValidator(split_words)
]
BotNames = Annotated[
    tuple[Annotated[str, AfterValidator(check_name)], ...],
    BeforeValidator(split_words),
    AfterValidator(_check_cast),
]
Port = Annotated[int, Field(ge=1, le=65535)]
PortOrAny = Annotated[int, Field(ge=0, le=65535)]
Pin = Annotated[SecretStr, AfterValidator(_check_pin)]
CommandNames = Annotated[
    tuple[Annotated[str, AfterValidator(_without_mark)], ...], BeforeValidator(split_words)
]
WhisperPattern = Annotated[
    re.Pattern[str], BeforeValidator(_compile), AfterValidator(_check_groups)
]
WhisperPatterns = Annotated[tuple[WhisperPattern, ...], BeforeValidator(one_or_more)]
Dialects = Annotated[tuple[DialectName, ...], BeforeValidator(split_words)]
JoinLines = Annotated[tuple[JoinLine, ...], BeforeValidator(one_or_more)]
NodeHosts = Annotated[int | Literal["auto"], BeforeValidator(_check_hosts)]
Ipv4 = Annotated[str, AfterValidator(_check_ipv4)]
HttpAddress = Annotated[SecretUrl, AfterValidator(_check_http)]
"""Or empty."""
NatsAddresses = Annotated[
    tuple[Annotated[SecretUrl, AfterValidator(_check_nats)], ...], BeforeValidator(split_words)
]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Blocks = Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]


def setting(default: Any, meaning: str) -> Any:
    """One setting; `meaning` is its row in docs/settings.md."""
    return Field(default=default, description=meaning)


class Section(BaseModel):
    """A table of the file: nothing unknown in it, nothing changed after start."""

    # An error that quotes its input could quote a key.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
