-- The first schema. Times in the record are whole microseconds since 1970, UTC; times of lines are seconds (REAL), as
-- ranking takes them. `space_no` leads every key; numbers of lines, episodes, vectors and log entries carry it in their
-- high 32 bits, so that a space is one range of each table.

CREATE TABLE spaces (
  no INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL DEFAULT 0,  -- of the latest commit
  next_no INTEGER NOT NULL DEFAULT 1,  -- low half of the next line's, episode's or vector's number; never reused
  lines INTEGER NOT NULL DEFAULT 0,    -- the space's own counts, for BM25
  words INTEGER NOT NULL DEFAULT 0,
  epoch INTEGER NOT NULL DEFAULT 0     -- rises when something is erased: whatever was cached of the space is void
);

CREATE TABLE sessions (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  name TEXT NOT NULL,
  next_position INTEGER NOT NULL DEFAULT 0,
  UNIQUE (space_no, name)
);

-- What was said -----------------------------------------------------------------------------------------------

CREATE TABLE episodes (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  project TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  UNIQUE (space_no, id)
);

CREATE TABLE messages (
  line_no INTEGER PRIMARY KEY,
  episode_no INTEGER NOT NULL,
  session_no INTEGER NOT NULL,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  role TEXT NOT NULL,
  speaker TEXT NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  host_id TEXT NOT NULL,
  key TEXT NOT NULL,
  UNIQUE (session_no, key)
);
CREATE INDEX messages_of_episode ON messages (episode_no);

-- Keyed hashes of the messages that were forgotten: reading them again brings nothing back.
CREATE TABLE tombstones (space_no INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (space_no, hash)) WITHOUT ROWID;

-- Not empty: something was erased, and the file is still to be rewritten without its bytes.
CREATE TABLE purges (no INTEGER PRIMARY KEY);

CREATE TABLE jobs (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  next_at INTEGER,   -- by the database's clock, microseconds
  leased_to INTEGER, -- the same
  token TEXT,
  draft TEXT,
  UNIQUE (space_no, id)
);
CREATE INDEX jobs_open ON jobs (no) WHERE state <> 'done';
CREATE INDEX jobs_running ON jobs (space_no) WHERE state = 'running';

-- The record --------------------------------------------------------------------------------------------------

CREATE TABLE log (
  no INTEGER PRIMARY KEY, -- space and version
  space_no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  verb TEXT NOT NULL,
  reason TEXT NOT NULL,
  episode_id TEXT NOT NULL,
  undoes TEXT NOT NULL,
  erased INTEGER NOT NULL DEFAULT 0,
  changes TEXT NOT NULL
);
CREATE INDEX log_of_episode ON log (space_no, episode_id) WHERE episode_id <> '';

CREATE TABLE log_rows (
  space_no INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (space_no, record_id, version)
) WITHOUT ROWID;

CREATE TABLE entities (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  label TEXT NOT NULL,
  description TEXT NOT NULL,
  importance REAL NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
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

CREATE TABLE aliases (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
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
CREATE INDEX aliases_of_entity ON aliases (space_no, entity_id);

CREATE TABLE mentions (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  episode_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (space_no, id)
);
CREATE INDEX mentions_of_entity ON mentions (space_no, entity_id, at);
CREATE INDEX mentions_of_episode ON mentions (space_no, episode_id, message_id);

CREATE TABLE facts (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  attribute TEXT NOT NULL,
  value TEXT NOT NULL,
  valid_at INTEGER,
  invalid_at INTEGER,
  grain TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expired_at INTEGER,
  importance REAL NOT NULL,
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
CREATE INDEX facts_of_entity ON facts (space_no, entity_id);

CREATE TABLE relations (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  from_id TEXT NOT NULL,
  label TEXT NOT NULL,
  to_id TEXT NOT NULL,
  note TEXT NOT NULL,
  valid_at INTEGER,
  invalid_at INTEGER,
  grain TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expired_at INTEGER,
  importance REAL NOT NULL,
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
CREATE INDEX relations_from ON relations (space_no, from_id, created_at);
CREATE INDEX relations_to ON relations (space_no, to_id, created_at);

CREATE TABLE supports (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
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
CREATE INDEX supports_of_record ON supports (space_no, record_id);

CREATE TABLE notes (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  text TEXT NOT NULL,
  category TEXT NOT NULL,
  importance REAL NOT NULL,
  persistent INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  entity_ids TEXT,
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

CREATE TABLE same_as (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  canonical_id TEXT NOT NULL,
  score REAL NOT NULL,
  evidence TEXT,
  decider TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (space_no, id)
);
CREATE INDEX same_as_of_entity ON same_as (space_no, entity_id);
CREATE INDEX same_as_of_canonical ON same_as (space_no, canonical_id);

CREATE TABLE not_same (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  left_id TEXT NOT NULL,
  right_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  decider TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (space_no, id)
);

CREATE TABLE reviews (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  left_id TEXT NOT NULL,
  right_id TEXT NOT NULL,
  score REAL NOT NULL,
  evidence TEXT,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (space_no, id)
);

CREATE TABLE kinds (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  attributes TEXT,
  relations TEXT,
  lifespan INTEGER,
  section TEXT NOT NULL,
  other_names TEXT,
  examples TEXT,
  UNIQUE (space_no, id)
);

-- Derived from the above, in the same transactions ----------------------------------------------------------------

-- Who bears a name, by its own row's id; and the keys to find it by, the oldest entity first.
CREATE TABLE bearers (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  is_primary INTEGER NOT NULL,
  entity_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL, -- of the entity
  UNIQUE (space_no, record_id, is_primary)
);

CREATE TABLE name_keys (
  space_no INTEGER NOT NULL,
  key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  bearer_no INTEGER NOT NULL,
  PRIMARY KEY (space_no, key, created_at, bearer_no)
) WITHOUT ROWID;

-- Only the entities that are the same as another.
CREATE TABLE canon (
  space_no INTEGER NOT NULL,
  entity_id TEXT NOT NULL,
  canonical_id TEXT NOT NULL,
  PRIMARY KEY (space_no, entity_id)
) WITHOUT ROWID;
CREATE INDEX canon_members ON canon (space_no, canonical_id, entity_id);

-- Canonical entities, and when they were last named (or else written).
CREATE TABLE listed (
  space_no INTEGER NOT NULL,
  entity_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  seen INTEGER NOT NULL,
  PRIMARY KEY (space_no, entity_id)
) WITHOUT ROWID;
CREATE INDEX listed_by_time ON listed (space_no, seen DESC, entity_id);
CREATE INDEX listed_by_kind ON listed (space_no, kind, seen DESC, entity_id);

-- What filters read comes first, so that they need not decode the rest.
CREATE TABLE lines (
  line_no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  kind INTEGER NOT NULL,  -- its place in LINE_KINDS
  session_no INTEGER,
  position INTEGER NOT NULL,
  at REAL NOT NULL,
  importance REAL NOT NULL,
  ends_at REAL,
  expires_at REAL,
  project TEXT NOT NULL,
  vector_model INTEGER,   -- 0: it should have a vector and has none; NULL: it needs none
  cost INTEGER NOT NULL,
  length INTEGER NOT NULL,
  question INTEGER NOT NULL,
  role TEXT NOT NULL,
  speaker TEXT NOT NULL,
  id TEXT NOT NULL,
  entities TEXT NOT NULL, -- ids, each between two line feeds
  words TEXT NOT NULL     -- index words, each between two spaces
);
CREATE UNIQUE INDEX lines_by_id ON lines (space_no, id, kind);
CREATE INDEX lines_by_place ON lines (session_no, position) WHERE session_no IS NOT NULL;
CREATE INDEX lines_by_vector ON lines (vector_model, line_no) WHERE vector_model IS NOT NULL;

CREATE TABLE line_entities (
  space_no INTEGER NOT NULL,
  entity_id TEXT NOT NULL,
  at REAL NOT NULL,
  line_no INTEGER NOT NULL,
  PRIMARY KEY (space_no, entity_id, at, line_no)
) WITHOUT ROWID;

CREATE TABLE words (
  space_no INTEGER NOT NULL,
  word TEXT NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY (space_no, word)
) WITHOUT ROWID;

-- Every token begins with its space's number (see tokens.py), so that no space's search reads another's lists.
CREATE VIRTUAL TABLE line_words USING fts5 (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii');

CREATE TABLE models (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL);

CREATE TABLE vectors (
  line_no INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,     -- space and order of writing: what a cache has not seen yet lies above what it has
  model_no INTEGER NOT NULL,
  scale REAL NOT NULL,      -- a number is its byte times this
  data BLOB NOT NULL        -- one signed byte a number
);
CREATE UNIQUE INDEX vectors_by_seq ON vectors (seq);

-- Blocks of one-bit codes, for processes that have not seen the space yet (see codes.py).
CREATE TABLE codes (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  model_no INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  lines BLOB NOT NULL,
  codes BLOB NOT NULL,
  UNIQUE (space_no, model_no, last_seq)
);
