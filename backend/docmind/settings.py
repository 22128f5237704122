"""The only reader of the environment. Every name here stands in .env.example with a safe value.

Values come from the process's environment first, then from the file .env in the working folder.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

from docmind.errors import SettingsError


class Settings(BaseSettings):
    """Everything that can be set. Field names are ours, aliases are the names in the environment."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", populate_by_name=True, env_ignore_empty=True
    )

    # Where and how to serve
    home: Path = Field(Path(), alias="DOCMIND_HOME")
    host: str = Field("127.0.0.1", alias="DOCMIND_HOST")
    port: int = Field(8000, alias="DOCMIND_PORT", ge=1, le=65535)
    token: SecretStr | None = Field(None, alias="DOCMIND_TOKEN")
    allowed_hosts: str = Field("127.0.0.1,localhost,[::1]", alias="DOCMIND_ALLOWED_HOSTS")
    log_level: str = Field("INFO", alias="DOCMIND_LOG_LEVEL")

    # Uploads and parsing
    max_upload_mb: int = Field(200, alias="DOCMIND_MAX_UPLOAD_MB", ge=1)
    max_pages: int = Field(20_000, alias="DOCMIND_MAX_PAGES", ge=1)
    parse_seconds: float = Field(60.0, alias="DOCMIND_PARSE_SECONDS", gt=0)
    page_seconds: float = Field(20.0, alias="DOCMIND_PAGE_SECONDS", gt=0)
    worker_memory_mb: int = Field(1_500, alias="DOCMIND_WORKER_MEMORY_MB", ge=200)
    workers: int = Field(2, alias="DOCMIND_WORKERS", ge=1)
    max_image_pixels: int = Field(16_000_000, alias="DOCMIND_MAX_IMAGE_PIXELS", ge=100_000)

    # The model: any OpenAI-compatible endpoint
    llm_base_url: str = Field("", alias="LLM_BASE_URL")
    llm_api_key: SecretStr | None = Field(None, alias="LLM_API_KEY")
    llm_model: str = Field("", alias="LLM_MODEL")
    llm_timeout_s: float = Field(120.0, alias="LLM_TIMEOUT_S", gt=0)
    llm_api: Literal["chat", "responses", "anthropic"] = Field("chat", alias="LLM_API")
    llm_window: int | None = Field(None, alias="LLM_WINDOW", ge=2_000)
    llm_max_output_tokens: int | None = Field(None, alias="LLM_MAX_OUTPUT_TOKENS", ge=256)
    llm_effort: str = Field("default", alias="LLM_EFFORT")
    llm_calls_tools: bool | None = Field(None, alias="LLM_CALLS_TOOLS")
    llm_sees_images: bool | None = Field(None, alias="LLM_SEES_IMAGES")
    llm_concurrency: int = Field(64, alias="LLM_CONCURRENCY", ge=1)
    model_prices: dict[str, tuple[float, float]] = Field(default_factory=dict, alias="MODEL_PRICES")

    # A model that looks at pages with formulas, tables and scans; empty key and address mean those of the reading model
    vision_base_url: str = Field("", alias="VISION_BASE_URL")
    vision_api_key: SecretStr | None = Field(None, alias="VISION_API_KEY")
    vision_model: str = Field("", alias="VISION_MODEL")

    # Reading scanned pages, and pictures sent to it
    ocr: Literal["auto", "off"] = Field("auto", alias="OCR")
    ocr_engine: Literal["auto", "rapidocr", "tesseract"] = Field("auto", alias="OCR_ENGINE")
    ocr_languages: str = Field("chi_sim+eng", alias="OCR_LANGUAGES", pattern=r"^[A-Za-z_]+(\+[A-Za-z_]+)*$")
    tesseract_path: str = Field("", alias="TESSERACT_PATH")
    ocr_workers: int = Field(1, alias="OCR_WORKERS", ge=1)
    ocr_threads: int = Field(1, alias="OCR_THREADS", ge=1)
    ocr_page_seconds: float = Field(180.0, alias="OCR_PAGE_SECONDS", gt=0)
    ocr_idle_seconds: float = Field(30.0, alias="OCR_IDLE_SECONDS", gt=0)
    ocr_memory_mb: int = Field(4_000, alias="OCR_MEMORY_MB", ge=1_000)
    ocr_max_pixels: int = Field(100_000_000, alias="OCR_MAX_PIXELS", ge=1_000_000)

    # What one run may spend
    max_rounds: int = Field(32, alias="DOCMIND_MAX_ROUNDS", ge=1)
    max_tool_calls: int = Field(128, alias="DOCMIND_MAX_TOOL_CALLS", ge=1)
    max_run_seconds: float = Field(1_200.0, alias="DOCMIND_MAX_RUN_SECONDS", gt=0)
    max_input_tokens: int = Field(2_000_000, alias="DOCMIND_MAX_INPUT_TOKENS", ge=1_000)
    max_output_tokens: int = Field(100_000, alias="DOCMIND_MAX_OUTPUT_TOKENS", ge=256)
    max_pages_read: int = Field(200, alias="DOCMIND_MAX_PAGES_READ", ge=1)
    max_vision_calls: int = Field(40, alias="DOCMIND_MAX_VISION_CALLS", ge=0)

    # Memory between conversations: switches for all chats until they are set in the page, and most items of each type
    memory_extraction: bool = Field(True, alias="DOCMIND_MEMORY_EXTRACTION")
    memory_injection: bool = Field(True, alias="DOCMIND_MEMORY_INJECTION")
    memory_raw_items: int = Field(500, alias="DOCMIND_MEMORY_RAW_ITEMS", ge=0)
    memory_semantic_items: int = Field(2_000, alias="DOCMIND_MEMORY_SEMANTIC_ITEMS", ge=0)
    memory_episodic_items: int = Field(2_000, alias="DOCMIND_MEMORY_EPISODIC_ITEMS", ge=0)
    memory_procedural_items: int = Field(200, alias="DOCMIND_MEMORY_PROCEDURAL_ITEMS", ge=0)

    # Tables; empty means a SQLite file in the home folder
    database_url: SecretStr | None = Field(None, alias="DATABASE_URL")
    mysql_host: str = Field("", alias="MYSQL_HOST")
    mysql_port: int = Field(3306, alias="MYSQL_PORT")
    mysql_user: str = Field("", alias="MYSQL_USER")
    mysql_password: SecretStr | None = Field(None, alias="MYSQL_PASSWORD")
    mysql_database: str = Field("docmind", alias="MYSQL_DATABASE")
    dbos_database_url: SecretStr | None = Field(
        None, validation_alias=AliasChoices("DBOS_DATABASE_URL", "dbos_database_url")
    )

    @property
    def has_model(self) -> bool:
        """Enough is set to call a model. A local server needs no key."""
        return bool(self.llm_model and (self.llm_api_key or self.llm_base_url))

    def shown(self) -> list[tuple[str, str | None, bool, str]]:
        """Every setting as (name, value, secret, source). A secret's value is None when it is set, "" when it is not."""
        return [
            (
                _alias(name, field),
                *_shown_value(getattr(self, name), secret="SecretStr" in str(field.annotation)),
                self._source(name, _alias(name, field)),
            )
            for name, field in type(self).model_fields.items()
        ]

    def _source(self, name: str, alias: str) -> str:
        if name not in self.model_fields_set:
            return "default"
        return "environment" if os.environ.get(alias) else "file"

    @property
    def shares_work(self) -> bool:
        """Several processes may serve this library: workflows and tables are both on servers that all of them reach."""
        tables = self.database_url.get_secret_value() if self.database_url is not None else self.mysql_host
        return self.dbos_database_url is not None and bool(tables) and not tables.startswith("sqlite")

    @property
    def allowed_host_names(self) -> frozenset[str]:
        return frozenset(name.strip().lower() for name in self.allowed_hosts.split(",") if name.strip())


def _alias(name: str, field: FieldInfo) -> str:
    if isinstance(field.validation_alias, AliasChoices):
        return str(field.validation_alias.choices[0])
    return str(field.validation_alias or field.alias or name)


def _shown_value(value: object, *, secret: bool) -> tuple[str | None, bool]:
    if secret:
        return (None if value else ""), True
    # An address may carry a login.
    return re.sub(r"//[^/@\s]*@", "//***@", "" if value is None else str(value)), False


def load_settings(**overrides: object) -> Settings:
    """Settings from environment and .env, with overrides by field name. Raises SettingsError naming the setting."""
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as exc:
        first = exc.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"{name}: {first['msg']}") from exc
