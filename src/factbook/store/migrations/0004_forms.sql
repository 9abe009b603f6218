-- What the values of a kind's attributes must be, by attribute, as JSON.
ALTER TABLE kinds ADD COLUMN forms TEXT;
