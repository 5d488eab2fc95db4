"""The guard of everything that listens: ``serve``, ``mcp``, ``watch``, ``ui``, a Space.

:mod:`~aq_gym.server.access` decides by a request's headers. :mod:`~aq_gym.server.asgi`
applies the decisions to applications under uvicorn, and :mod:`~aq_gym.server.pages` to
pages on this machine. Floods, slow clients and TLS are the concern of a reverse proxy.
"""
