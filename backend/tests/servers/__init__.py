"""Real database servers for tests: private ones on loopback, with their data in a folder of the test run."""
