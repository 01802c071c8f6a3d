"""How a wire record becomes a value: one base class and one rule for fields of the wrong type."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, core_schema

JsonObject = dict[str, object]
"""A JSON object whose members nobody has looked at yet."""


class Lenient:
    """Field annotation: a missing, null or wrongly typed value becomes `default` instead of an error.

    The agent is many versions and many extensions; a field we cannot read must not cost the record it is in.
    """

    def __init__(self, default: object) -> None:
        self.default = default

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        return core_schema.with_default_schema(handler(source), default=self.default, on_error="default")


Text = Annotated[str, Lenient("")]
MaybeText = Annotated[str | None, Lenient(None)]
Number = Annotated[float, Lenient(0.0)]
MaybeNumber = Annotated[float | None, Lenient(None)]
Integer = Annotated[int, Lenient(0)]
MaybeInteger = Annotated[int | None, Lenient(None)]
Flag = Annotated[bool, Lenient(False)]
MaybeFlag = Annotated[bool | None, Lenient(None)]
Object = Annotated[JsonObject, Lenient({})]
Texts = Annotated[tuple[str, ...], Lenient(())]


class Wire(BaseModel):
    """A frozen value read from the wire: camelCase there, snake_case here; unknown fields are ignored."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, validate_by_alias=True, validate_by_name=True,
        defer_build=True,
    )
