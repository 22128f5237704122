"""The two flows. Only this package knows the order of stages."""
