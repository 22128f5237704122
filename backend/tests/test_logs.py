from __future__ import annotations

import pytest
import structlog

from docmind.logs import configure_logs


def test_a_traceback_in_the_log_shows_no_local_variables(capsys: pytest.CaptureFixture[str]):
    configure_logs("INFO")
    try:
        secret = "-".join(["sk", "canary", "key"])
        _ = {}[len(secret)]
    except KeyError:
        structlog.get_logger().exception("request_failed", path="/api/x")
    written = capsys.readouterr().err
    assert "request_failed" in written
    assert "KeyError" in written
    assert "sk-canary-key" not in written


def test_events_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str]):
    configure_logs("ERROR")
    structlog.get_logger().info("quiet")
    assert capsys.readouterr().err == ""
