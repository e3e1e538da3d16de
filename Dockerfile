# townsfolk with all it needs; no network is used after the build but for a model and the server.
FROM python:3.11-slim AS build
WORKDIR /src
COPY constraints.txt pyproject.toml README.md LICENSE node_package.json ./
COPY deploy/build deploy/build
COPY townsfolk townsfolk
COPY bots bots
COPY bridge bridge
COPY llm llm
COPY examples/characters examples/characters
RUN python -m venv /opt/townsfolk \
    && /opt/townsfolk/bin/pip install --no-cache-dir --constraint constraints.txt ".[mcp,cluster]"
ENV XDG_CACHE_HOME=/opt/cache
# The first plan installs the Node packages.
RUN /opt/townsfolk/bin/python -c "import asyncio, townsfolk; asyncio.run(townsfolk.plan('inventory.stick:4', progress=print))"

FROM python:3.11-slim
RUN useradd --uid 10001 --create-home townsfolk && install -d -o townsfolk -g townsfolk /data
COPY --from=build /opt/townsfolk /opt/townsfolk
COPY --from=build /opt/cache /opt/cache
ENV PATH=/opt/townsfolk/bin:$PATH XDG_CACHE_HOME=/opt/cache TOWNSFOLK_DATA_DIR=/data
USER townsfolk
VOLUME /data
HEALTHCHECK --interval=30s --timeout=10s --start-period=90s CMD ["townsfolk", "status", "--live"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["townsfolk"]
CMD ["up"]
