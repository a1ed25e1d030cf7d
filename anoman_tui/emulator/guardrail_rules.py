"""What the guardrails look for, as data: pattern and weight (0 to 1)."""

import re
from re import Pattern

Rules = tuple[tuple[Pattern[str], float], ...]


def _rules(*pairs: tuple[str, float]) -> Rules:
    return tuple((re.compile(pattern, re.IGNORECASE), weight) for pattern, weight in pairs)


INJECTION = _rules(
    (
        r"\b(ignore|disregard|forget|override)\b.{0,30}\b(previous|prior|above|earlier|all|your)\b.{0,20}\b(instructions?|rules?|prompts?)\b",
        0.85,
    ),
    (r"\babaikan\b.{0,30}\b(instruksi|perintah|aturan)\b", 0.85),
    (r"\b(reveal|print|show|repeat|leak)\b.{0,30}\b(system|hidden|initial) (prompt|message|instructions?)\b", 0.6),
    (r"\byou are now\b.{0,40}\b(dan|unrestricted|jailbroken|developer mode)\b", 0.7),
    (r"\b(jailbreak|do anything now|developer mode enabled)\b", 0.5),
    (r"<\|(im_start|im_end|system|endoftext)\|>|\[/?INST\]|^\s*#{2,}\s*system\s*:", 0.6),
    (r"\bpretend (you have|there are) no (rules|restrictions|guidelines|filters)\b", 0.6),
)
MODERATION = _rules(
    (
        r"\b(how (do i|to|can i)|steps? to|teach me to)\b.{0,40}"
        r"\b(build|make|assemble)\b.{0,30}\b(bomb|explosive|nerve agent|bioweapon)s?\b",
        0.95,
    ),
    (r"\b(how (do i|to|can i))\b.{0,30}\b(kill|murder|poison)\b.{0,30}\b(someone|people|my (wife|husband|neighbou?r|boss))\b", 0.95),
    (r"\b(kill|hurt|harm) myself\b|\bcommit suicide\b|\bbunuh diri\b", 0.6),
    (r"\b(exterminate|gas|lynch) (all )?(the )?\w+s\b.{0,20}\b(race|people|religion)\b", 0.9),
    (r"\bsexual\b.{0,30}\b(child|minor|underage)\w*", 0.99),
    (r"\b(credit card fraud|steal (a )?(password|identity)|write (me )?(a )?(ransomware|keylogger))\b", 0.7),
)
SECRETS = _rules(
    (r"-----BEGIN (RSA |EC |OPENSSH )?PRIVATE KEY-----", 0.99),
    (r"\bAKIA[0-9A-Z]{16}\b", 0.95),
    (r"\b(sk|anm-sk|ghp|xoxb)[-_][A-Za-z0-9_-]{20,}\b", 0.9),
    (r"\b(password|passwd|api[_ ]?key)\s*[:=]\s*\S{8,}", 0.5),
    (r"\b(strictly confidential|internal use only|rahasia perusahaan)\b", 0.45),
)

EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}\b")
CARD = re.compile(r"(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])")
NATIONAL_ID = re.compile(r"(?<!\d)\d{16}(?!\d)")
SSN = re.compile(r"(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")
PHONE = re.compile(r"(?<![\w.+-])(?:\+\d{1,3}[ -]?|0)(?:\(?\d{2,4}\)?[ -]?)\d{3,4}[ -]?\d{3,5}(?![\w-])")
