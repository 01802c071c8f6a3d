"""The protocol client: bytes, records, requests, processes, recordings."""
