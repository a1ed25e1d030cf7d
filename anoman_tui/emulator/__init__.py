"""The embedded gateway: both documented gateways over real HTTP on the loopback interface."""
