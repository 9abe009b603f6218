-- A tombstone's sort (see factbook.store.tombstones): of those from before it isn't known, and messages among them keep
-- their session.
ALTER TABLE tombstones ADD COLUMN sort INTEGER NOT NULL DEFAULT 0;
