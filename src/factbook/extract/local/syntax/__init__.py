"""The parse: words, what each is, and what it hangs on."""
