"""What tests share: builders of values, a scripted extractor, an embedder without a model, and
dumps to compare.
"""
