"""Servers for models at home on loopback, as their documents and issues say that they answer.

Each is one function from a request to an answer. Texts are made up in the shape of theirs.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from llm.fake_api import Reply
from llm.fake_api.steps import events_of, sse

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    """With its method: `GET /v1/models`."""
    body: Json
    key: str


@dataclass(frozen=True, slots=True)
class Answer:
    body: bytes
    status: int = 200
    kind: str = "application/json"


Serves: TypeAlias = Callable[[Request], Answer]


@dataclass
class ModelServer:
    """A running server, and what it was asked."""

    url: str
    requests: list[Request] = field(default_factory=list)

    @property
    def questions(self) -> list[Json]:
        """What models were asked."""
        return [one.body for one in self.requests if one.path == "POST /v1/messages"]


@contextmanager
def serving(serves: Serves) -> Iterator[ModelServer]:
    """The server, for as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))

        def _answer(self, body: Json) -> None:
            path = f"{self.command} {self.path.partition('?')[0]}"
            request = Request(path, body, self.headers.get("authorization", ""))
            server.requests.append(request)
            answer = serves(request)
            self.send_response(answer.status)
            self.send_header("content-type", answer.kind)
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server = ModelServer(f"http://127.0.0.1:{http.server_port}")
        thread = threading.Thread(target=http.serve_forever, args=[0.01], daemon=True)
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


def ollama(*models: str, context: int = 4_096, said: str = "Hello there.") -> Serves:
    """From 0.14: it cuts long prompts without a word, and tells what a loaded model reads."""
    loaded: list[str] = []

    def serves(request: Request) -> Answer:
        match request.path:
            case "GET /v1/models":
                return _listed(models, owned_by="library")
            case "GET /api/ps":
                rows = [{"name": one, "model": one, "context_length": context} for one in loaded]
                return _json({"models": rows})
            case "POST /v1/messages":
                name = request.body["model"]
                full = name if ":" in name else f"{name}:latest"
                if full not in models:
                    return _error("not_found_error", f"model '{name}' not found", 404)
                loaded.append(full)
                return _said(said, name)
        return Answer(b"404 page not found", 404, "text/plain")

    return serves


def old_ollama(*models: str) -> Serves:
    """Before 0.14: the OpenAI API alone."""
    new = ollama(*models)
    missing = Request("GET /", {}, "")

    def serves(request: Request) -> Answer:
        return new(missing if request.path == "POST /v1/messages" else request)

    return serves


def lm_studio(*models: str, context: int = 4_096, token: str = "", is_old: bool = False) -> Serves:
    """It answers 200 to paths that it does not know."""

    def serves(request: Request) -> Answer:
        if token and request.key != f"Bearer {token}":
            return _json({"error": {"message": "An API token is required", "code": "no_key"}}, 401)
        match request.path:
            case "GET /v1/models":
                return _listed(models, owned_by="organization_owner")
            case "GET /api/v0/models":
                rows = [
                    {"id": one, "max_context_length": 32_768, "loaded_context_length": context}
                    for one in models
                ]
                return _json({"object": "list", "data": rows})
            case "POST /v1/messages" if not is_old:
                return _said("Hello there.", request.body["model"])
        return _json({"error": f"Unexpected endpoint or method. ({request.path})"})

    return serves


def vllm(model: str, context: int = 8_192, *, is_old: bool = False) -> Serves:
    """It refuses what, with the answer, is longer than it reads."""

    def serves(request: Request) -> Answer:
        match request.path:
            case "GET /v1/models":
                return _listed([model], owned_by="vllm", max_model_len=context)
            case "POST /v1/messages" if not is_old:
                if request.body["model"] != model:
                    words = f"The model `{request.body['model']}` does not exist."
                    return _error("NotFoundError", words, 404)
                if tokens_of(request.body) + request.body["max_tokens"] > context:
                    words = f"the model's context length is only {context} tokens"
                    return _error("BadRequestError", words, 400)
                return _said("Hello there.", model)
        return _json({"detail": "Not Found"}, 404)

    return serves


def llama_cpp(context: int = 4_096, *, is_old: bool = False) -> Serves:
    """It has one model and takes any name for it."""

    def serves(request: Request) -> Answer:
        match request.path:
            case "GET /v1/models":
                return _listed(["some.gguf"], meta={"n_ctx_train": 131_072})
            case "GET /props":
                return _json({"default_generation_settings": {"n_ctx": context}})
            case "POST /v1/messages" if not is_old:
                if (asked := tokens_of(request.body)) > context:
                    words = f"request ({asked} tokens) exceeds the available context size"
                    kind = "exceed_context_size_error"
                    return _json({"error": {"code": 400, "message": words, "type": kind}}, 400)
                return _said("Hello there.", request.body["model"])
        missing = {"code": 404, "message": "File Not Found", "type": "not_found_error"}
        return _json({"error": missing}, 404)

    return serves


def openai_only(request: Request) -> Answer:
    """A server with OpenAI's API alone, in its words."""
    if request.path == "GET /v1/models":
        return _listed(["gpt-5"], owned_by="openai")
    words = f"Invalid URL ({request.path})"
    return _json({"error": {"message": words, "type": "invalid_request_error"}}, 404)


def tokens_of(question: Mapping[str, Any]) -> int:
    """As a tokenizer might count a prompt in English: four bytes a token."""
    read = {key: question[key] for key in ("system", "messages", "tools") if key in question}
    return len(json.dumps(read, ensure_ascii=False).encode()) // 4


def _listed(models: Sequence[str], **facts: Any) -> Answer:
    rows = [{"id": one, "object": "model", "created": 1, **facts} for one in models]
    return _json({"object": "list", "data": rows})


def _said(text: str, model: str) -> Answer:
    events = events_of(Reply(text), model, 1)
    return Answer(b"".join(map(sse, events)), kind="text/event-stream")


def _error(kind: str, message: str, status: int) -> Answer:
    return _json({"type": "error", "error": {"type": kind, "message": message}}, status)


def _json(body: Json, status: int = 200) -> Answer:
    return Answer(json.dumps(body).encode(), status)
