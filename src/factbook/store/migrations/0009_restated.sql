-- How a relation was stated again: with what note, under which name, from which end.
ALTER TABLE supports ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE supports ADD COLUMN label TEXT NOT NULL DEFAULT '';
ALTER TABLE supports ADD COLUMN turned INTEGER NOT NULL DEFAULT 0;
