"""AsyncMemory: the same memory, awaited."""

from __future__ import annotations

import asyncio
from pathlib import Path

from factbook import AsyncMemory, Entity
from tests.scenario.child import Badges


def test_everything_can_be_awaited(tmp_path: Path) -> None:
    async def main() -> None:
        async with await AsyncMemory.open(
            tmp_path / "m.db", extractor=Badges(), embedder="none", background=False
        ) as memory:
            ada = memory.within("ada")
            await asyncio.gather(*(ada.remember(f"Ana{n} has badge {n}", session=str(n)) for n in range(8)))
            await ada.wait()
            assert (await ada.get("Ana3")).attributes == {"badge": "3"}
            await ada.put(Entity("Bo", "person"))
            await ada.relate("Bo", "knows", "Ana3")
            assert [link.label for link in await ada.neighbours("Ana3")] == ["knows"]
            assert "badge 3" in str(await ada.recall("who has badge 3?"))
            assert (ada.space, memory.url) == ("ada", ada.url)

    asyncio.run(main())
