"""Words that carry no meaning in a question; dropped from queries only, never from the index."""

from __future__ import annotations

from typing import Final

_ENGLISH = """
a about above after again all am an and any are aren't as at be because been before being below between both but by
can can't cannot could couldn't did didn't do does doesn't doing don't done during each explain find for from further
get give had hadn't has hasn't have haven't having he her here hers him his how how's i i'd i'll i'm i've if in into is
isn't it it's its itself let's list many may me might mine more most much must my myself need no nor not of off on once
only or other ought our ours out over own please same shall she should shouldn't show so some such tell than that that's
the their theirs them then there there's these they they're this those through to too under until up upon us use used
using very want was wasn't we we're were weren't what what's when when's where where's whether which while who who's
whom whose why why's will with without won't would wouldn't you you'd you'll you're you've your yours
"""
_GERMAN = """
aber als am an auch auf aus bei bin bis bist da damit dann das dass dem den der des dessen die dies diese diesem diesen
dieser dieses doch dort du durch ein eine einem einen einer eines er es für gibt habe haben hat hatte ich ihm ihn ihr
ihre im in ist ja kann kein keine können man mein mich mir mit muss müssen nach nicht noch nun nur ob oder ohne sehr
sein seine sich sie sind so soll sollte über um und uns unter vom von vor war waren warum was welche welchem welchen
welcher welches wem wen wenn wer werden wie wieso wird wo wofür womit wurde wurden zu zum zur
"""
_FRENCH = """
à au aux avec ce ceci cela ces cet cette comment d' dans de des donc dont du elle elles en est et être eu faire fait
faut il ils je l' la le les leur lorsque lui mais ne nous on ont ou où par pas peut plus pour pourquoi qu'est-ce que
quel quelle quelles quels qui s' sa se ses si son sont sous sur te tu un une vous
"""
_SPANISH = """
al como con cómo cuál cuáles cuando cuándo de del donde dónde el ella en entre es esta este esto está la las lo los
más muy no o para pero por porque qué que quién se ser si sin sobre son su sus un una unos y
"""
STOP_WORDS: Final = frozenset(f"{_ENGLISH} {_GERMAN} {_FRENCH} {_SPANISH}".split())
