"""An OpenAI-compatible server of our own that plays written rounds over real HTTP. For tests, demos and bug reports."""

from tests.scripted_model.script import Call, Failure, Reply, Script, rounds
from tests.scripted_model.server import ScriptedModel

__all__ = ["Call", "Failure", "Reply", "Script", "ScriptedModel", "rounds"]
