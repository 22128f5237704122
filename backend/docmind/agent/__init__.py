"""The reader: rounds of model and tools, budget, citations, and the reader without a model."""
