"""The models the demo offers; every one is a script, and its name says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pitui.demo.records import Record

THINKING_LEVELS: Final = ("off", "minimal", "low", "medium", "high")


@dataclass(frozen=True, slots=True)
class Model:
    """One model. Prices are dollars for a million tokens, sizes are tokens.

    `api` decides how its blocks arrive: with `openai-completions` all end events come last and tool calls interleave,
    with `anthropic-messages` each block ends before the next begins, as with the real providers.
    """

    id: str
    name: str
    api: str
    reasoning: bool
    images: bool
    context_window: int
    max_tokens: int
    input_price: float
    output_price: float

    @property
    def levels(self) -> tuple[str, ...]:
        return THINKING_LEVELS if self.reasoning else ("off",)

    def record(self) -> Record:
        return {
            "id": self.id, "name": self.name, "api": self.api, "provider": PROVIDER, "baseUrl": "demo://scripted",
            "reasoning": self.reasoning, "input": ["text", "image"] if self.images else ["text"],
            "cost": {
                "input": self.input_price, "output": self.output_price,
                "cacheRead": self.input_price / 10, "cacheWrite": self.input_price * 1.25,
            },
            "contextWindow": self.context_window, "maxTokens": self.max_tokens,
        }


PROVIDER: Final = "demo"
MODELS: Final = (
    Model("demo-thinker", "Demo Thinker", "openai-completions", True, True, 200_000, 32_000, 3, 15),
    Model("demo-plain", "Demo Plain", "anthropic-messages", False, False, 128_000, 8_192, 1, 5),
    Model("demo-small", "Demo Small (8k)", "openai-completions", False, False, 8_000, 2_048, 0.1, 0.4),
)


def find_model(provider: str | None, model_id: str | None) -> Model | None:
    """The model with exactly this provider and id."""
    if provider != PROVIDER:
        return None
    return next((model for model in MODELS if model.id == model_id), None)


def match_model(pattern: str) -> Model | None:
    """The model a command line means by `pattern`: `provider/id`, an id, or a part of one, with or without `:level`."""
    name = pattern.split(":", 1)[0].rsplit("/", 1)[-1].lower()
    return next((model for model in MODELS if name and name in model.id), None)


def clamp_level(model: Model, level: str) -> str:
    """The level the model really uses: an unknown one is off, one above its highest is its highest."""
    if level in model.levels:
        return level
    return model.levels[-1] if level in ("xhigh", "max", *THINKING_LEVELS) else "off"
