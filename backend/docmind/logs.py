"""How the program logs: events with fields on standard error, one line each, with plain tracebacks.

Tracebacks never show local variables: those hold page texts and keys, and drawing them takes seconds.
"""

from __future__ import annotations

import logging
import sys

import structlog


def configure_logs(level: str) -> None:
    """Log from `level` (DEBUG, INFO, WARNING or ERROR) upwards; an unknown name means INFO."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        # Looked up at each event: standard error may be another file by then.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
