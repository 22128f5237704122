from __future__ import annotations

from collections.abc import Iterator

import pytest

from docmind.api.gate import host_name
from tests.api.served import Served, serve, settings_for_tests
from tests.small_pdf import GARDEN


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(settings_for_tests(tmp_path_factory.mktemp("home"), max_upload_mb=1)) as served:
        yield served


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("127.0.0.1:8000", "127.0.0.1"),
        ("LocalHost", "localhost"),
        ("[::1]:80", "[::1]"),
        ("", ""),
        ("evil.com", "evil.com"),
    ],
)
def test_a_host_header_is_read_without_its_port(header: str, name: str):
    assert host_name(header) == name


def test_another_host_is_refused_so_that_dns_rebinding_gets_nothing(served: Served):
    answer = served.client.get("/api/documents", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_allowed")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_another_site_can_neither_write_nor_listen(served: Served, origin: str):
    assert served.client.post("/api/chats", headers={"Origin": origin}).status_code == 403
    assert served.client.get("/api/runs/x/events", headers={"Origin": origin}).status_code == 403


def test_the_page_itself_may_write(served: Served):
    assert served.client.post("/api/chats", headers={"Origin": served.url}).status_code == 201


def test_a_body_over_the_limit_is_refused_before_it_is_read(served: Served):
    answer = served.client.post("/api/documents", files={"file": ("big.pdf", b"%PDF-" + b"0" * 2_000_000)})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_a_chunked_body_over_the_limit_is_refused_as_it_comes(served: Served):
    def body() -> Iterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.pdf"\r\n\r\n%PDF-'
        for _ in range(40):
            yield b"0" * 65_536
        yield b"\r\n--b--\r\n"

    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    answer = served.client.post("/api/documents", content=body(), headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_every_answer_forbids_sniffing_and_inline_scripts(served: Served):
    headers = served.client.get("/api/health").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"].split("style-src")[0]


def test_the_file_is_a_pdf_in_a_sandbox_and_can_be_read_in_parts(served: Served):
    document_id = served.upload(GARDEN)
    answer = served.client.get(f"/api/documents/{document_id}/file", headers={"Range": "bytes=0-4"})
    assert (answer.status_code, answer.content) == (206, b"%PDF-")
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-security-policy"].startswith("sandbox")


def test_a_malformed_request_gets_a_code_and_advice(served: Served):
    answer = served.client.post("/api/chats/x/runs", json={"text": 5})
    assert answer.status_code == 422
    assert set(answer.json()["error"]) == {"code", "message", "advice"}


def test_an_unknown_api_address_is_json_not_the_page(served: Served):
    answer = served.client.get("/api/nothing")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["/api/documents", "/api/chats", "/api/memories"])
def test_an_offset_beyond_every_database_integer_is_the_callers_mistake(served: Served, path: str):
    response = served.client.get(path, params={"offset": 10**20})
    assert response.status_code == 422
    assert response.json()["error"]["code"] == "invalid_input"
