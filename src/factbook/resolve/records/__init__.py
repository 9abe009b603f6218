"""Records: entities with attributes, told apart or taken for one by how far the attributes
agree.
"""
