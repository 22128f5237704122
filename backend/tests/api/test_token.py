from __future__ import annotations

from pathlib import Path

from tests.api.served import serve, settings_for_tests


def test_a_token_is_wanted_on_every_route_and_a_visit_with_it_sets_a_cookie(tmp_path: Path):
    with serve(settings_for_tests(tmp_path, token="s3cret-token")) as served:
        for path in ("/", "/api/health", "/api/documents", "/api/openapi.json", "/assets/x.js"):
            assert served.client.get(path).status_code == 403, path
        bearer = {"Authorization": "Bearer s3cret-token"}
        assert served.client.get("/api/health", headers=bearer).status_code == 200
        assert served.client.get("/api/health", headers={"Authorization": "Bearer wrong"}).status_code == 403
        visit = served.client.get("/api/health?token=s3cret-token")
        assert "HttpOnly" in visit.headers["set-cookie"]
        assert served.client.get("/api/health").status_code == 200
