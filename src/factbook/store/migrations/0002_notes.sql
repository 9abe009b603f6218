-- Notes by time and by importance, of all categories or of one: the few that are asked for are read without the others.
CREATE INDEX notes_by_time ON notes (space_no, created_at DESC, id DESC);
CREATE INDEX notes_by_importance ON notes (space_no, importance DESC, created_at DESC, id DESC);
CREATE INDEX notes_of_category_by_time ON notes (space_no, category, created_at DESC, id DESC, expires_at);
CREATE INDEX notes_of_category_by_importance ON notes (space_no, category, importance DESC, created_at DESC, id DESC);
CREATE INDEX notes_persistent ON notes (space_no, importance DESC, created_at DESC, id DESC) WHERE persistent = 1;
