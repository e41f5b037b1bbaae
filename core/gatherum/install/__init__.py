"""Put gatherum into editors' settings, and take it out again.

A client is data (`clients`). A settings file is changed as text (`jsonedit`, `tomledit`), so that comments, order and
formatting of all else stay; what was changed is remembered (`receipts`), so that it can be undone to the byte.
"""
