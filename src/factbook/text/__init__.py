"""Pure work on text: names, words, dates, tokens, secrets.

One flat folder, since every room takes single functions out of it: names (`names`, `name_parts`,
`name_links`, `nicknames`, `legal_forms`), times (`time_phrases`, `periods`, `date_arguments`), words
(`index_words`, `bm25`, `sentences`, `excerpt`), values (`figures`, `value_forms`), other programs'
messages (`transcripts`, `transcript_files`), and what must not be kept (`injected_memory`,
`personal_data`, `secrets/`). Lists of words are data: `word_lists` reads them from `data/`.
"""
