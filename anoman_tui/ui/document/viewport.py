"""Which lines of a growing document are in view."""


class Viewport:
    """A window on `total` lines that follows their end until it is moved up. All numbers are lines."""

    __slots__ = ("following", "height", "top", "total", "unseen")

    def __init__(self) -> None:
        self.top = 0  # the line in the first row
        self.total = 0
        self.height = 0
        self.following = True
        self.unseen = False  # lines came below the view since following ended

    @property
    def max_top(self) -> int:
        """The first row's line when the end is in view."""
        return max(0, self.total - self.height)

    def fit(self, total: int, height: int, lead: int = 0) -> None:
        """Take new sizes, and stay at the end while following.

        With a `lead` the end comes into view that many lines early, so that the text moves seldom and not line by line.
        """
        self.total, self.height = total, height
        if not self.following:
            self.top = min(self.top, self.max_top)
        elif self.top < self.max_top or self.top > self.max_top + lead:
            self.top = self.max_top + (lead if self.max_top else 0)

    def move(self, top: int) -> None:
        """Put a line into the first row and stop following."""
        self.following = False
        self.top = max(0, min(top, self.max_top))

    def step(self, count: int) -> None:
        """Move by lines; going down to the end follows again."""
        self.move(self.top + count)
        if count > 0 and self.top >= self.max_top:
            self.follow()

    def follow(self) -> None:
        """Go to the end and stay there."""
        self.following, self.unseen = True, False
        self.top = self.max_top

    def notice(self) -> bool:
        """Note that lines came; whether that is news to somebody who does not see the end."""
        if self.following or self.unseen or self.total <= self.top + self.height:
            return False
        self.unseen = True
        return True

    @property
    def hint(self) -> bool:
        """Whether to say that there is more below."""
        return self.unseen and not self.following and self.top < self.max_top

    def thumb(self) -> tuple[int, int]:
        """The rows of the scrollbar's thumb, the last not included; (0, 0) where everything is in view."""
        if self.total <= self.height or self.height < 1:
            return (0, 0)
        length = max(1, self.height * self.height // self.total)
        start = min(self.top, self.max_top) * (self.height - length) // self.max_top
        return (start, start + length)

    def line_at(self, row: int) -> int:
        """The line to put first so that the thumb's middle stands at a row."""
        start, end = self.thumb()
        free = self.height - (end - start)
        return 0 if free <= 0 else (row - (end - start) // 2) * self.max_top // free
