"""Archives whose members are documents of their own: what is in them, and the bytes of each."""

from gatherum.archives.listing import Listed, listing
from gatherum.archives.opened import Archives
from gatherum.archives.source import MemberSource

__all__ = ["Archives", "Listed", "MemberSource", "listing"]
