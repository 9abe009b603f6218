-- Preferences and pain points are observations with a name; the entities that they were become theirs.
ALTER TABLE observations ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE observations ADD COLUMN label TEXT NOT NULL DEFAULT '';
ALTER TABLE observations ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE observations ADD COLUMN updated_at INTEGER;
-- then: observations
