-- Words of names, whole and without one letter each: how a misspelt one is found. The index of names is made again,
-- since its keys are others now (see names.py).
CREATE TABLE name_slips (
  space_no INTEGER NOT NULL,
  slip TEXT NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (space_no, slip, word)
) WITHOUT ROWID;
CREATE INDEX not_same_left ON not_same (space_no, left_id);
CREATE INDEX not_same_right ON not_same (space_no, right_id);
CREATE INDEX reviews_left ON reviews (space_no, left_id);
CREATE INDEX reviews_right ON reviews (space_no, right_id);
-- again: names
