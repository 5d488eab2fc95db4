"""Episodes over the Model Context Protocol (MCP): the server of ``aq-gym mcp``.

With the extra ``mcp``. Any client plays an environment by calling its tools::

    aq-gym mcp aq/ToolQuery-v0 --seed 3 --log played
"""
