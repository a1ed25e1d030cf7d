"""The embedded gateway: a loopback HTTP server that speaks the protocols of Anoman and AnyPath.

Import what you need from the modules. `process` (start the gateway as a child process) and `options` need the
standard library alone; the server side (`app`, `serve`) needs Starlette and uvicorn.
"""
