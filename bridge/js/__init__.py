"""The real bridge: Mineflayer bots in a Node process, driven through JSPyBridge."""

from bridge.js.bridge import JSBridge

__all__ = ["JSBridge"]
