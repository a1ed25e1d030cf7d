"""Pure logic: standard library only; no clock, no asyncio, no IO."""
