"""The embedded gateway: a loopback HTTP server that speaks the protocols of Anoman and AnyPath.

Where the gateways' pages are silent, the gateway does what the shape's own SDK tolerates:

- On Anoman's Messages the `_anoman` frame comes unnamed after `message_stop`, then `[DONE]`; a broken stream ends with `event: error`,
  whose error object has the documented keys, since Anthropic's SDK does not see unnamed events.
- The playground takes the chat body and gives chat frames.
- A guardrail's 403 carries `_anoman.guardrails` inside its error; a cache hit is the shape's whole JSON object with `_anoman` in it,
  costs nothing and weighs nothing.
- Anoman accepts `stream_options` and still sends the usage on the finish chunk alone.
- AnyPath's `model_unavailable` is a 503, the missing `include_usage` a 400, each in the shape's envelope. A truncated stream is cut
  (an incomplete chunked body); the model `scripted-interrupt` shows the other form, a clean end without the terminal.
- No key is a 401 everywhere, Gemini too. Both gateways put `X-Request-Id` on every response, and `request-id` on Messages.
- Reasoning is always shown: `reasoning_content`, a reasoning summary item, a thinking block, a part marked `thought`.

Import what you need from the modules. `process` (start the gateway as a child process) and `options` need the
standard library alone; the server side (`app`, `serve`) needs Starlette and uvicorn.
"""
