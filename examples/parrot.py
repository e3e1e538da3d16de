"""A bot of your own in a few lines: it repeats what it is told.

Run `python examples/parrot.py`, join and whisper to Polly, or from a second terminal:
`townsfolk say Polly hello` and `townsfolk exec Polly '!history'`.
"""

import asyncio

from townsfolk import BotsSettings, Daemon, NaturalMessage, Operator, Settings


async def main() -> None:
    settings = Settings(bots=BotsSettings(names=("Polly",)))
    async with Daemon(settings, answers=False) as daemon:
        polly = daemon.bot("Polly")

        async def repeat(message: NaturalMessage) -> None:
            if isinstance(message.origin, Operator):  # is not in the world: reads the history
                await polly.add_message(polly.name, message.content)
            else:
                await polly.reply(message.from_, message.content)

        polly.on_natural_message(repeat)
        await daemon.all_joined()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
