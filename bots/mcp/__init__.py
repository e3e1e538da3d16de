"""The bots for other programs' models: the running daemon as a server of the Model Context
Protocol, over stdio or HTTP."""
