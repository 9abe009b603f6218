"""Memory: the library's front door, bound to one space."""

from __future__ import annotations

import asyncio
import os
import time
import warnings
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, Self

from factbook.errors import ExtractError, ModelUnavailableError
from factbook.learn.clock import Clock, IdMaker, make_id, utc_now
from factbook.learn.engine import Engine
from factbook.learn.extractor_choice import ExtractorLike, Extractors, SettingsLike
from factbook.learn.worker import LEASE_SECONDS
from factbook.learn.worker_turn import was_broken_off
from factbook.memory import exchange
from factbook.memory.argument_errors import name_arguments
from factbook.memory.default_file import default_url, here_warning, lies_here, make_folder
from factbook.memory.forget.erasing import Erasing
from factbook.memory.masking import Redact, sorts_of
from factbook.memory.read.asking import Asks
from factbook.memory.read.notes import Notes
from factbook.memory.read.observations import ReadsObservations
from factbook.memory.read.reading import Reads
from factbook.memory.read.trends import Trends
from factbook.memory.write.amending import Amending
from factbook.memory.write.duplicates import Deduping
from factbook.memory.write.intake import Said, messages_of, take_in
from factbook.memory.write.notes import WritesNotes
from factbook.memory.write.observations import WritesObservations
from factbook.model.job import Job
from factbook.model.receipt import Learned, Receipt
from factbook.model.space import check_label
from factbook.ports.models import Embedder, Extractor, Listener
from factbook.recall.weights import DEFAULT
from factbook.store import open_store
from factbook.text.argument_checks import check_place, check_share, check_span
from factbook.text.token_counters import TokenizerLike, make_counter

POLL_SECONDS = 0.02

Progress = Callable[[int, int], None]
"""Called with (jobs done, jobs in all) while waiting."""


@name_arguments
class Memory(
    Asks,
    Reads,
    ReadsObservations,
    Amending,
    WritesNotes,
    WritesObservations,
    Notes,
    Trends,
    Deduping,
    Erasing,
):
    """Entity memory of one space.

    ::

        memory = Memory.open("factbook.db").within("ada")
        memory.remember("Alice left Acme in May; she runs Project Atlas now.")
        memory.wait()
        print(memory.recall("where does Alice work?", budget=200))

    Everything that writes passes through two doors: `remember` appends what was said, and the rest
    commits changes to what is known, which `undo` takes back. Safe to use from several threads;
    several processes may open one file.
    """

    @classmethod
    def open(
        cls,
        url: str | Path | None = None,
        *,
        extractor: ExtractorLike = "auto",
        model_settings: SettingsLike = None,
        stand_in: Extractor | Literal["local"] | None = None,
        embedder: str | Embedder = "auto",
        tokenizer: TokenizerLike | None = None,
        observers: Sequence[Listener] = (),
        background: bool = True,
        clock: Clock = utc_now,
        new_id: IdMaker = make_id,
        lease_seconds: float = LEASE_SECONDS,
        redact: Redact = False,
        importance_halves_in: timedelta | None = None,
        doubt: float = DEFAULT.doubt,
    ) -> Self:
        """Opens a memory, and makes its file where there is none.

        Args:
            url: a path, `sqlite:///…`, or `ram:`. Without it the file that the command line uses,
                too: FACTBOOK_DB, else an existing `./factbook.db` (with a warning), else
                `factbook.db` in the user's data folder.
            extractor: who reads what is said: `local` (ours, no model call), `openai:MODEL`,
                `anthropic:MODEL` or `ollama:MODEL`, `local+openai:MODEL` (ours first, the model
                judges, and reads where it adds), `none`, an object (an extractor, a language
                model, a client, a function from prompt to text); or `auto`: the model that the
                environment's EXTRACTION_MODEL names, else `local` where it is installed. It is
                loaded when it is needed.
            model_settings: how a named model is asked (`ModelSettings`, or a mapping of its
                fields); what isn't given comes from the environment, which is read now.
            stand_in: `local` to learn by our own extractor while the model can't be asked, until
                its answer comes.
            embedder: `auto` (the reader's, where it is installed), `none`, a plug-in's name, or an
                object.
            tokenizer: counts budgets; by default an estimate that errs on the safe side. For exact
                counts an object with `count(text) -> int`, a tokenizer of `tokenizers`, `tiktoken`
                or `transformers`, a function from a text to its tokens or their number, or the path
                of a `tokenizer.json`. Nothing is downloaded.
            observers: hear of what happens (see `Event`), or of the entities that are found.
            background: whether `remember` starts a thread that learns; without it `wait` or `work`
                do.
            clock, new_id: where times and ids come from.
            lease_seconds: after so long, a job whose worker said nothing is taken over.
            redact: which personal data is masked before it is stored, besides secrets: True for
                phone numbers, e-mail and postal addresses, IBANs, numbers of identity cards and the
                like, IP addresses; or the sorts by name (`phone`, `email`, `address`, `iban`, `id`,
                `ip`, `birth_date`). Names stay.
            importance_halves_in: how fast importance fades in recall and contexts; None for never.
                What is stored stays.
            doubt: 0–1, how improbable an answer may be and still be said: 0.95 says what one such
                question in twenty is answered by, 0.5 only what is more likely right than not.
                Where nothing is likelier, recall is empty.

        Raises:
            ConfigError, StoreError: it can't be opened; what is there is untouched.
        """
        check_place(url)
        sorts = sorts_of(redact)
        counts = make_counter(tokenizer)
        halves = check_span(importance_halves_in, "importance_halves_in")
        fading = halves.total_seconds() / 86400 if halves else 0.0
        weights = replace(DEFAULT, fading=fading, doubt=check_share(doubt, "doubt"))
        extractors = Extractors(
            extractor, model_settings=model_settings, stand_in=stand_in, environment=os.environ
        )
        if url is None:
            if lies_here(os.environ):
                warnings.warn(here_warning(), stacklevel=2)
            url = default_url(os.environ)
            make_folder(url)
        engine = Engine(
            open_store(str(url)),
            extractors=extractors,
            embedder=embedder,
            tokenizer=counts,
            observers=observers,
            background=background,
            clock=clock,
            new_id=new_id,
            lease_seconds=lease_seconds,
        )
        return cls(engine, redact=sorts, weights=weights, is_host=True)

    def within(
        self, space: str, reads: Sequence[str] = (), *, redact: Redact | None = None
    ) -> Memory:
        """The same memory bound to another space; `reads` names more spaces that recall may look
        into.

        Args:
            redact: which personal data is masked there; None as here (see `open`).

        Raises:
            SpaceError: a name that may not be used. ConfigError: no such sort of personal data.
        """
        masked = self._redact if redact is None else redact
        return Memory(self._engine, space, reads, masked, self._weights)

    @property
    def url(self) -> str:
        """The URL of the memory, without secrets."""
        return self._engine.store.url

    def close(self) -> None:
        """Ends the background work after the job in hand, and closes the store. All bound spaces
        close with it.
        """
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def remember(
        self,
        said: Said | Sequence[Said],
        *,
        session: str = "",
        project: str = "",
        anyway: bool = False,
    ) -> Receipt:
        """Keeps what was said, word for word, and returns when it is durable; learning from it
        comes later.

        Secrets are masked first, and personal data where `open` was told so. Remembering the same
        messages again keeps one copy (see `memory/write/intake.py`).

        Args:
            said: a text, a `Message`, a mapping (`role`/`content`, OpenAI's form, or
                `speaker`/`text`), or several.
            session, project: labels.
            anyway: stores also what was forgotten; without it that is held back, and counted in
                `held_back`.

        Raises:
            InputError: one of them is no message; none was stored. SpaceError, StoreError: none was
                stored.
        """
        engine = self._engine
        check_label(session, "session")
        check_label(project, "project")
        began = time.perf_counter()
        taken = take_in(
            messages_of(said),
            session=session,
            project=project,
            now=engine.clock(),
            new_id=engine.new_id,
            guard=self._make_guard(),
        )
        done = engine.store.remember(self._space, taken.episodes, anyway=anyway)
        if done.stored:
            if engine.background and engine.extractors.learns:
                engine.worker.start()
            engine.bell.ring(
                "remembered",
                self._space,
                lambda: {
                    "records": [
                        {"content": message.text}
                        for episode in taken.episodes
                        for message in episode.messages
                    ]
                },
                verb="remember",
                messages=done.stored,
                episodes=len(done.episode_ids),
                ms=(time.perf_counter() - began) * 1000,
            )
        return Receipt(
            space=self._space,
            verb="remember",
            episode_ids=done.episode_ids,
            stored=done.stored,
            duplicates=done.duplicates,
            held_back=done.held_back,
            masked=taken.masked,
            skipped=taken.skipped,
        )

    def warm(self) -> None:
        """Loads the models ahead, and returns when they are there: a second or so. Without it they
        are loaded in the background by what is first remembered, and contexts tell its words until
        it is learned.

        Raises:
            ConfigError: a model was asked for by name and can't be loaded.
        """
        self._engine.warm()

    def wait(
        self, timeout: float | None = None, progress: Progress | None = None, *, raises: bool = True
    ) -> list[Learned]:
        """Learns what is waiting in this space, or waits for whoever does, and says what was
        learned.

        A script may wait; an agent never needs to. A job that waits for its next try is not waited
        for. Without an extractor it returns at once, says so once in the log, and only gives
        vectors to lines that lack them.

        Args:
            timeout: seconds at most; None for no limit. With `background=False` the caller's thread
                learns, and finishes a job that it began. progress: told how far it is.
            raises: False to return also the jobs that failed, each as a `Learned` with its `error`.

        Raises:
            ExtractError: jobs failed since the last call: `.jobs` are they, each with its error.
                What else was learned is kept, and the next call returns it. ModelUnavailableError:
                the model was away; they will be tried again.
        """
        worker = self._engine.worker
        until = None if timeout is None else time.monotonic() + timeout
        due = self._find_due()
        begun, total = set(due), len(due)
        open_jobs = total
        while self._engine.extractors.learns and open_jobs and _time_left(until) > 0:
            if until is not None and self._engine.background and worker.start():
                time.sleep(min(POLL_SECONDS, max(_time_left(until), 0)))
                open_jobs = len(self._find_due())
            elif worker.work_once([self._space]):
                open_jobs = (
                    self._count_open()
                )  # a cheap count: which of them are due matters only when none was to be had
            elif open_jobs := len(self._find_due()):
                time.sleep(POLL_SECONDS)  # another process has them
            total = max(total, open_jobs)
            if progress is not None:
                progress(total - open_jobs, total)
        embeds = not open_jobs or not self._engine.extractors.learns
        while embeds and _time_left(until) > 0 and worker.embed_once(self._space):
            pass
        learned = worker.take_learned(self._space, None if until is None else _time_left(until))
        failed = self._find_failed(begun | worker.take_failed(self._space), learned)
        if failed and raises:
            worker.put_back(learned)
            raise _unlearned_error(failed)
        return learned + [
            Learned(space=self._space, episode_id=job.id, error=job.error) for job in failed
        ]

    def _find_failed(self, job_ids: Set[str], learned: Sequence[Learned]) -> list[Job]:
        """Returns those of these jobs that met an error and still are not learned, not even by a
        stand-in.
        """
        if self._engine.extractors.is_missing:
            self._engine.say_once(
                "no extractor: what is remembered is kept and found as text, and learned from "
                "where one is installed"
                " (pip install 'factbook[local]') or named"
            )
            return []
        if not job_ids:
            return []
        done = {each.episode_id for each in learned}
        jobs = self.jobs(("waiting", "failed"))
        jobs = [job for job in jobs if job.error and not was_broken_off(job)]
        return [job for job in jobs if job.id in job_ids and job.id not in done]

    def work(self, *, retry: bool = False, every_space: bool = False) -> int:
        """Finishes all jobs that are due, also those of other processes; returns how many were
        taken.

        Args:
            retry: once more also those that failed, and at once those that wait for their next try.
                every_space: not only this one's.
        """
        spaces = None if every_space else [self._space]
        done = 0
        if retry:
            self._engine.store.requeue(spaces=spaces)
        while taken := self._engine.worker.work_once(spaces):
            done += taken
        while self._engine.worker.embed_once(None if every_space else self._space):
            pass
        return done

    async def alearn(
        self,
        *,
        retry: bool = False,
        every_space: bool = False,
        timeout: float | None = None,
        progress: Progress | None = None,
    ) -> int:
        """Learns like `work` and `wait`, for callers on an event loop: a language model is awaited
        there, the rest is done in threads. Returns how many jobs were taken. Cancelling it gives
        back the jobs in hand.

        Args:
            retry, every_space: see `work`. timeout, progress: see `wait`.
        """
        until = None if timeout is None else time.monotonic() + timeout
        spaces = None if every_space else [self._space]
        if retry:
            await asyncio.to_thread(self._engine.store.requeue, spaces=spaces)
        done, total = 0, len(await asyncio.to_thread(self._find_due))
        while _time_left(until) > 0 and (taken := await self._engine.worker.awork_once(spaces)):
            done += taken
            if progress is not None:
                progress(done, max(done, total))
        return done

    @property
    def background(self) -> bool:
        """Whether a thread learns by itself."""
        return self._engine.background

    def _count_open(self) -> int:
        with self._engine.store.snapshot() as snapshot:
            counts = snapshot.job_counts(self._space)
        return counts.get("waiting", 0) + counts.get("running", 0)

    def _find_due(self) -> list[str]:
        """Returns the ids of the jobs that run or may be taken now."""
        now = self._engine.clock()

        def is_due(job: Job) -> bool:
            if job.state == "running" or was_broken_off(job):
                return True
            return job.next_at is None or job.next_at <= now

        return [job.id for job in self.jobs(("waiting", "running")) if is_due(job)]

    def export(self, target: str | Path | IO[str]) -> int:
        """Writes the space as JSON lines (what was said, and the log of what is known); returns the
        lines written.
        """
        with self._engine.store.snapshot() as snapshot:
            return exchange.export_space(snapshot, self._space, target)

    def import_(self, source: str | Path | IO[str]) -> int:
        """Reads what `export` wrote into this space, with its ids and its history, all of it or
        nothing; returns the lines read. Importing the same export again brings only what is new in
        it.

        Raises:
            InputError: a line can't be read (says which), the export is cut short, or the space
                holds another memory.
            StoreError: it can't be written. Nothing was imported in either case.
        """
        return exchange.import_space(self._engine.store, self._space, source)


def _unlearned_error(jobs: Sequence[Job]) -> ExtractError:
    """Returns the error that tells of jobs that were not learned."""
    final = [job for job in jobs if job.state == "failed"]
    number = f"{len(jobs)} {'job' if len(jobs) == 1 else 'jobs'}"
    why = (final or jobs)[-1].error.rstrip(".")
    if final:
        return ExtractError(
            f"{number} failed: {why}. To try again: memory.work(retry=True)", jobs=jobs
        )
    is_away = all(job.error.startswith(ModelUnavailableError.__name__) for job in jobs)
    return (ModelUnavailableError if is_away else ExtractError)(
        f"{number} will be tried again: {why}", jobs=jobs
    )


def _time_left(until: float | None) -> float:
    """Seconds until a moment of the monotonic clock."""
    return float("inf") if until is None else until - time.monotonic()
