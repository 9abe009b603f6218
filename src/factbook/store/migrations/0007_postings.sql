-- Postings of our own in place of FTS5, so that BM25 is exact (see postings.py): the latest of a word's lines beside its
-- count, the earlier ones in chunks. They are made from the words of the lines.
DROP TABLE line_words;
ALTER TABLE words ADD COLUMN latest BLOB NOT NULL DEFAULT x'';
CREATE TABLE postings (
  space_no INTEGER NOT NULL,
  word TEXT NOT NULL,
  first INTEGER NOT NULL, -- low half of the number of the chunk's first line
  lines BLOB NOT NULL,
  PRIMARY KEY (space_no, word, first)
) WITHOUT ROWID;
-- again: words
