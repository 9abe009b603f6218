-- Observations: what was said of somebody, word for word; and whom each is about, the most worth knowing first.
CREATE TABLE observations (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  text TEXT NOT NULL,
  entity_ids TEXT,
  sort TEXT NOT NULL,
  holds TEXT NOT NULL,
  valid_at INTEGER,
  invalid_at INTEGER,
  grain TEXT NOT NULL,
  importance REAL NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  record_ids TEXT,
  metadata TEXT,
  source_standing TEXT NOT NULL,
  source_speaker TEXT NOT NULL,
  source_said_at INTEGER,
  source_session TEXT NOT NULL,
  source_project TEXT NOT NULL,
  source_episode_id TEXT NOT NULL,
  source_message_id TEXT NOT NULL,
  source_position INTEGER NOT NULL,
  source_quote TEXT NOT NULL,
  source_since INTEGER,
  source_until INTEGER,
  source_grain TEXT NOT NULL,
  UNIQUE (space_no, id)
);
CREATE INDEX observations_by_episode ON observations (space_no, source_episode_id) WHERE source_episode_id <> '';

CREATE TABLE observation_entities (
  space_no INTEGER NOT NULL,
  entity_id TEXT NOT NULL,
  importance REAL NOT NULL,
  observation_no INTEGER NOT NULL,
  PRIMARY KEY (space_no, entity_id, importance, observation_no)
) WITHOUT ROWID;
