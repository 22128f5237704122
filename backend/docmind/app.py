"""The meeting place: reads Settings, builds stores and providers, and hands them to the flows."""
