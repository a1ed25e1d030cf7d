"""What is known of a choice before it is sent: what cannot work, and what of it a shape does not take.

Only what a page or a protocol says clearly. It is told and still sent, so that the server's own answer is seen.
"""

import re
from typing import Final

from anoman_tui.core.late import late
from anoman_tui.core.request import Params
from anoman_tui.core.target import Policy, Shape, Target, same_host

_IMAGES: Final = late(
    lambda: re.compile(r"(^|[/_-])(gpt-image|dall-?e|imagen|flux|stable-diffusion|sdxl|midjourney|seedream)([-_.\d]|$)", re.IGNORECASE)
)
"""Names of model families that make images and no text."""
_GEMINI: Final = re.compile(r"(^|/)gemini[-_.\d]", re.IGNORECASE)
_EFFORTS: Final = {Shape.MESSAGES: ("low", "medium", "high", "xhigh", "max"), Shape.GEMINI: ("minimal", "low", "medium", "high")}
"""The efforts of the shapes whose protocol names them."""


def choice_problems(target: Target, params: Params) -> tuple[str, ...]:
    """One sentence each; `params` are those that the pane would send."""
    found = [_key_stays(target), _images(target), _chat_over_gemini(target), *_params(target.shape, params)]
    return tuple(one for one in found if one)


def _key_stays(target: Target) -> str:
    provider = target.provider
    if not provider.needs_key or target.sends_key or not provider.base_url or same_host(target.base_url, provider.base_url):
        return ""
    return f"{provider.label}'s key goes to {provider.base_url} alone, so this request is sent without one"


def _images(target: Target) -> str:
    """AnyPath streaming page, where streaming works: the images family does not support streaming."""
    if target.policy is not Policy.ANYPATH or not _IMAGES.search(target.model):
        return ""
    return "AnyPath does not stream image models, and this one is by its name: choose a model that answers in text"


def _chat_over_gemini(target: Target) -> str:
    """AnyPath streaming page, where streaming works: chat streaming over the Gemini protocol is not supported."""
    if target.policy is not Policy.ANYPATH or target.shape is not Shape.CHAT or not _GEMINI.search(target.model):
        return ""
    return "AnyPath does not stream chat over the Gemini protocol: choose the shape gemini for this model"


def _params(shape: Shape, params: Params) -> list[str]:
    found = []
    if params.stop and shape is Shape.RESPONSES:
        found.append("stop is not sent: the shape responses has no such parameter")
    if params.temperature is not None and params.temperature > 1 and shape is Shape.MESSAGES:
        found.append(f"temperature {params.temperature:g}: the shape messages takes 0 to 1")
    efforts = _EFFORTS.get(shape)
    if params.effort is not None and efforts is not None and params.effort not in efforts:
        found.append(f"effort {params.effort[:20]}: the shape {shape} takes {', '.join(efforts)}")
    return found
