"""One module a host, each independent of the others; the host's package is imported only inside its
own.
"""
