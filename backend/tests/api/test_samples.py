from __future__ import annotations

from pathlib import Path

import pytest

from docmind.library.samples import SampleLanguage, sample_in
from tests.api.served import serve, settings_for_tests


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_sample_document_is_read_into_a_tree_with_a_table_and_is_added_once(tmp_path: Path, language: str):
    with serve(settings_for_tests(tmp_path)) as served:
        answer = served.client.post(f"/api/samples/{language}")
        assert answer.status_code == 202
        document = answer.json()["document"]
        assert document["name"] == sample_in(SampleLanguage(language)).name
        for _ in served.events(f"/api/documents/{document['id']}/events"):
            pass

        shown = served.client.get(f"/api/documents/{document['id']}").json()
        assert (shown["status"], shown["page_count"], shown["outline_source"]) == ("ready", 6, "bookmarks")
        tree = served.client.get(f"/api/documents/{document['id']}/tree").json()
        assert [node["page_from"] for node in tree["nodes"]] == [1, 2, 3, 4, 5, 6]
        assert served.client.get(f"/api/documents/{document['id']}/pages/5").json()["kind"] == "table"

        kinds = served.client.get(f"/api/documents/{document['id']}/page-kinds").json()["pages"]
        assert [(page["number"], page["kind"]) for page in kinds] == [(5, "table")]

        again = served.client.post(f"/api/samples/{language}")
        assert (again.status_code, again.json()["duplicate"]) == (200, True)


def test_there_is_no_sample_in_other_languages(tmp_path: Path):
    with serve(settings_for_tests(tmp_path)) as served:
        assert served.client.post("/api/samples/fr").status_code == 422
