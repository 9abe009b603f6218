-- By which forgetting (its entry of the log) a message went, so that one may be taken back for words to be told again.
ALTER TABLE tombstones ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
