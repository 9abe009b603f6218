-- What an extractor gave that was not taken: counts by reason as JSON, empty for none; they outlive the job's draft.
ALTER TABLE jobs ADD COLUMN dropped TEXT NOT NULL DEFAULT '';
CREATE INDEX jobs_dropped ON jobs (space_no) WHERE dropped <> '';
