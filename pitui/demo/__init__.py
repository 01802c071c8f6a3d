"""The demo agent: a small process that speaks all of `pi --mode rpc` with scripted answers.

It needs no model, key, network or Node. `python -m pitui.demo --mode rpc` starts it; it uses the standard library only,
so that it starts at once.
"""
