"""What the agent can do with the library: one file a tool."""
