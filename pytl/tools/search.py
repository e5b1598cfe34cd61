"""The search for the fastest options: which candidate is tried next, and which of two is faster.

The search begins with the defaults and changes one option after the other, each from the best so far, until no single
change is faster; then it changes two at once. Machines drift, so only interleaved measurements are compared: those of
a new candidate with the best so far, and in the end those of the few fastest with the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from statistics import median
from typing import Any

Options = dict[str, Any]
Space = Mapping[str, Sequence[Any]]

FINAL_SHARE = 0.15
"""The part of the budget that is kept for the finals, at most."""
MAX_FINAL_SAMPLES = 30
"""Rounds of measurements of the finals, at most."""
BEST_COMPARED = 4
"""Finalists besides the default, at most."""
CLOSE = 1.05
"""The longest time of a finalist, in multiples of the fastest one's."""
MAX_SAMPLES = 15
"""Samples of a new candidate, at most; fewer where they take long."""
PAIR_SAMPLES = 0.01
"""The part of the budget that the samples of one new candidate may take."""
MUCH_SLOWER = 2.0
"""The time at which a candidate is dropped after two samples, in multiples of the best one's."""
GAIN = 0.98
"""The longest time of a better candidate, as a part of the best's or the default's: smaller gains count as noise."""
IMPORTS = 0.5
"""The part of the default's time that other candidates do not need: the imports of a compiler."""
LATEST = 3
"""The number of the latest candidates from which the cost of the next one is estimated."""
LEAST = 1e-9
"""The least time of a launch in seconds: some clocks do not advance for a short time."""


class Failed(Exception):
    """Options of which there is nothing to measure: they cannot be built or launched, or give `wrong` results."""

    def __init__(self, reason: str, wrong: bool = False) -> None:
        super().__init__(reason)
        self.wrong = wrong


@dataclass(eq=False)
class Candidate:
    """Options in a search, and what is known of them. `options` has what differs from the defaults."""

    options: Options
    launch: Callable[[], float] | None = None
    """Launches once, and says how many seconds that took."""
    seconds: list[float] = field(default_factory=list)
    ratio: float | None = None
    """The ratio of its time to the default's."""
    problem: Failed | None = None
    is_dropped: bool = False
    cost: float = 0.0
    """Seconds per sample, with everything that it needs beside the launch."""


class Search:
    """Finds the fastest options within a budget in seconds, by a clock that may be made up.

    Options are named by what differs from the `defaults`. `space` says of options which others are worth trying from
    there. `prepare` builds what options mean and returns how to launch it, and how many seconds such a build takes at
    least; both may raise Failed. `on_candidate` is called with each candidate once it is built and measured.
    """

    def __init__(
        self,
        defaults: Options,
        space: Callable[[Options], Space],
        prepare: Callable[[Options], tuple[Callable[[], float], float]],
        budget: float,
        clock: Callable[[], float],
        on_candidate: Callable[[Candidate], None] = lambda candidate: None,
    ) -> None:
        self.defaults = defaults
        self._space = space
        self._prepare = prepare
        self._clock = clock
        self._on_candidate = on_candidate
        self._began = clock()
        self._budget = budget
        self._costs: list[float] = []
        """Seconds that contenders have taken, their builds included."""
        self.default = Candidate({}, ratio=1.0)
        self.best = self.default
        self.tried = [self.default]
        self.is_complete = False
        """Whether nothing was left to try when the budget was used up."""
        self.untried: list[Options] = []
        """Of what was left, that which differs from the winner in one option."""

    @property
    def seconds(self) -> float:
        return self._clock() - self._began

    def run(self) -> Candidate:
        """The winner. Raises what keeps the default from being launched."""
        began = self._clock()
        self.default.launch, expected = self._prepare({})
        self._costs.append(max((self._clock() - began) * IMPORTS, expected))
        self._sample(self.default)
        self._on_candidate(self.default)
        for options in self._proposals():
            if self.seconds + self._needed() > self._budget:
                break
            self._try(options)
        else:
            self.is_complete = True
        self._compare_best()
        if not self.is_complete:
            self.untried = self._neighbours()
        return self.best

    def _needed(self) -> float:
        """Seconds that the next candidate will take, and the finals."""
        finals = MAX_FINAL_SAMPLES * (self.default.cost + BEST_COMPARED * self.best.cost)
        return max(self._costs[-LATEST:]) + min(finals, FINAL_SHARE * self._budget)

    def _sample(self, candidate: Candidate) -> float:
        assert candidate.launch is not None
        began = self._clock()
        try:
            candidate.seconds.append(max(candidate.launch(), LEAST))
        except Failed as problem:  # though it could be launched before
            candidate.problem, candidate.ratio = problem, None
            if self.best is candidate:
                self.best = self.default
            raise
        candidate.cost = max(self._clock() - began, LEAST)
        return candidate.seconds[-1]

    # Which candidate is next.

    def _proposals(self) -> Iterator[Options]:
        """Options that were not tried yet; the best ones may have changed whenever this continues."""
        known: list[Options] = [{}]

        def new(options: Options) -> bool:
            is_new = options not in known
            known.append(options)
            return is_new

        while True:
            center = self.best
            for name in self._space(center.options):
                start = self.best.options
                for value in self._space(start).get(name, ()):
                    options = self._fitting({**start, name: value})
                    if new(options):
                        yield options
            if self.best is not center:
                continue
            for options in filter(new, self._pairs(center.options)):
                yield options
                if self.best is not center:
                    break
            else:
                return

    def _neighbours(self) -> list[Options]:
        """What differs from the best in one option, and was not tried."""
        options, known = self.best.options, [candidate.options for candidate in self.tried]
        neighbours = []
        for name, values in self._space(options).items():
            for value in values:
                rest = {n: v for n, v in options.items() if n != name}
                neighbours.append(rest if value == self.defaults.get(name) else {**options, name: value})
        return [each for each in neighbours if each not in known]

    def _pairs(self, options: Options) -> Iterator[Options]:
        """What differs in two options."""
        space = self._space(options)
        for names in combinations(space, 2):
            for values in product(*(space[name] for name in names)):
                yield self._fitting({**options, **dict(zip(names, values))})

    def _fitting(self, options: Options) -> Options:
        """The options without what is not worth trying together with the others, or is the default."""
        fitting = {name: value for name, value in options.items() if value != self.defaults.get(name)}
        for name, value in list(fitting.items()):
            others = {n: v for n, v in fitting.items() if n != name}
            if value not in self._space(others).get(name, ()):
                fitting = others
        return fitting

    # Which candidate is faster.

    def _try(self, options: Options) -> None:
        candidate = Candidate(options)
        self.tried.append(candidate)
        began = self._clock()
        try:
            candidate.launch, _ = self._prepare(options)
            self._compare_pair(candidate)
        except Failed as problem:
            if candidate.launch is None:
                candidate.problem = problem
        if candidate is self.tried[1]:
            self._costs.clear()  # what the default took tells less of others
        self._costs.append(self._clock() - began)
        self._on_candidate(candidate)

    def _compare_pair(self, new: Candidate) -> None:
        best, assured = self.best, self.best.ratio
        assert assured is not None
        first = self._sample(new)
        usual = median(best.seconds)
        if first > MUCH_SLOWER * usual and (first := min(first, self._sample(new))) > MUCH_SLOWER * usual:
            new.ratio, new.is_dropped = assured * first / usual, True
            return
        gain = self._compare(best, new)
        new.ratio = assured * gain
        if gain <= GAIN:
            # once more, and with the one that the ratio is to: of many newcomers some win by luck
            new.ratio = self._compare(self.default, new)
            if new.ratio < assured:
                self.best = new

    def _compare(self, one: Candidate, other: Candidate) -> float:
        """The ratio of the other one's time to the one's: the median over pairs of launches."""
        pairs = [self._sample_all([one, other], number) for number in range(self._count([one, other]))]
        return median(second / first for first, second in pairs)

    def _sample_all(self, candidates: Sequence[Candidate], begin: int) -> list[float]:
        """A sample of each, in turn, from one of them on."""
        samples = {}
        for offset in range(len(candidates)):
            next_one = (offset + begin) % len(candidates)
            samples[next_one] = self._sample(candidates[next_one])
        return [samples[offset] for offset in range(len(candidates))]

    def _count(self, candidates: Sequence[Candidate]) -> int:
        each = sum(candidate.cost for candidate in candidates)
        return min(max(int(self._budget * PAIR_SAMPLES / each), 1), MAX_SAMPLES)

    def _compare_best(self) -> None:
        """Compare the fastest with each other and with the default, as long as there is time."""
        valid = sorted(
            (c for c in self.tried if c.ratio is not None and not c.is_dropped and c is not self.default),
            key=lambda candidate: candidate.ratio or 0.0,
        )
        close = [c for c in valid if c.ratio and self.best.ratio and c.ratio <= CLOSE * self.best.ratio]
        finalists = [self.default, *close[:BEST_COMPARED]]
        sample_rows: list[list[float]] = []
        while len(sample_rows) < MAX_FINAL_SAMPLES and self.seconds + sum(c.cost for c in finalists) <= self._budget:
            try:
                sample_rows.append(self._sample_all(finalists, len(sample_rows)))
            except Failed:
                finalists, sample_rows = [c for c in finalists if c.problem is None], []
        if sample_rows:
            for position, candidate in enumerate(finalists):
                candidate.ratio = median(samples[position] / samples[0] for samples in sample_rows)
        fastest = min(finalists, key=lambda candidate: candidate.ratio or 0.0)
        self.best = fastest if fastest.ratio is not None and fastest.ratio <= GAIN else self.default
