"""Which letters languages use, in the order of their frequency: what tells one code page from another.

Only letters beyond ASCII are listed for languages in the Latin script. ``words`` are short ASCII words that stand in
nearly every text of the language: they speak for it whatever the code page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Alphabet:
    """A language as its writing shows it.

    Attributes:
        weights: The logarithm of each letter's share among the letters, in lower case.
        words: Its commonest ASCII words.
    """

    weights: dict[str, float]
    words: frozenset[str] = field(default_factory=frozenset)


_LATIN: Final = (
    ("éïèöüñçêàáôóíâëåøä", "the of and to in is that it for was with as his her be on not at by are from or have"),
    ("éèàêçôîûùâëïœüæÿ", "le la les des est et que dans une pour par sur pas qui du un au ce il nous vous avec"),
    ("äüößé", "der die das und ist nicht ein eine mit von den zu im auf des dem werden wird sich auch"),
    ("óíáéñúü¿¡ªº", "de la que el en los las una por con para del se no es como un su lo"),
    ("ãáçéóíõêâúàôüº", "de que o e do da em um para com uma os no na por as dos se mais"),
    ("èàùòìéóî", "di che il la e un una per del in non con della sono le si da gli nel"),
    ("ëéïöèüêó", "de het een van en in dat op te zijn met voor niet aan er om is"),
    ("àéóèíçòúï·ü", "de la que el els les una per amb del en es no un als dels"),
    ("äöåéüà", "och att det som en den med av inte ett till var har jag om"),
    ("øåæéöüòôé", "og det at en den til som er av ikke med for jeg har et de"),
    ("äöåéšž", "ja on ei se ovat oli mutta kuin joka sen jos niin ne voi olla"),
    ("íáðþéöæúóý", "og sem um hann er til en var ekki vera henni"),
    ("łężąóśćńźé„”", "w i na z nie do to jest za od po jak co ale przez o a"),
    ("íáéěřčžýšůúťňóďüö", "a se na je v z do s o k pro ale jak by od po jako"),
    ("áíčéýžšúľťôňäďóĺŕ", "a sa na je v z do s o k pre ale ako by od po aj"),
    ("áéőöóíüúű", "a az hogy nem egy ez meg csak van volt mint de el"),
    ("ăîțâșţş„”", "de la nu un o cu se care din pe este mai sunt au ce"),
    ("čšžćđ", "i u je na se da za od su s o koji a to bi iz kao"),
    ("ëçâ", "e dhe në i një për me nga te ka si do nuk"),
    ("ėšįąųžūčęū„“", "ir kad su tai yra kaip bet jo iki per nuo o"),
    ("āīēšņūļžģķčō", "un ir ar no par ka uz bet tas kas to lai vai"),
    ("äõüöšž", "ja on ei et see oli ka ta kui aga mis oma"),
    ("ıişüçğöâîû", "ve bir bu da de ile olan en daha ne gibi var kadar ama"),
    ("ħżġċàèìòù", "li ta u ma il f minn biex dan kien"),
    ("ĉĝŭŝĥĵ", "la de kaj en estas al ke mi ne por kun pri el"),
    ("âŵêôŷîïáë", "y yn a i o ar mae ac wedi ei am gan"),
    ("áéíóú", "an na ar agus le is go ag bhi leis"),
    ("áčđŋšŧžâ", "ja lea go ii leat dat ahte mii"),
    ("êëïéèôöü", "aap an in die van het en is was om te"),
    ("əşıüöğçƏ", "bir bu o ki da de ilə var"),
)
_VIETNAMESE: Final = "\u0301\u0300đ\u0323ưôơêâ\u0309ă\u0303àáéèìíòóùúýãõ₫ạảấầếềệộớờợủứừựữịọụ"
_VIETNAMESE_WORDS: Final = "va cho trong khi theo sau cao hay ra xem con em anh hai ba"
_OTHERS: Final = (
    "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
    "оанитвеірсклудмпзяьбгйчхцєюжїшщфґ",
    "анікуеастрдлоявызмпьўгчшбхцжёюйэф",
    "аоиетнрсвлкдпмзъугбчящжцйхфюьш",
    "аоиенрстјувкдмплзгбњчшцжљћђхџф",
    "аоиетнрсвдклпмузјгбчшцњжфќѓљџѕх",
    "аеынтлрідсқомбукжғшйүгпөңұзіһяхвч",
    "аиоирндетмшкбваӣзсгҳуҷқӯёғпчлфхэюяӣ",
    "ατοιενσκηρπυλμςόίάωέήγδχθύβφώξζψϊΐϋΰ",
    "יוהלאמרבתשנםדעחקצפגכטסזןךףץ",
    "اليمنتوربدعفسكقحجشطىةصءخأإضذزثغئآظؤ،؛؟",
    "ایرندهمتوسبشکگزخپچژعفقلغحجطصآضثئ،\u200c",
    "اکیرنےہمسوتبںلدجپگھٹئچعفقشآخزڑصحطغڈظ۔،",
    "านรอกเงมยล่้วดทัิีสตะปบคหแ์จพชขใไุูืโำ็ึถธศผซญณฉภฟษฐฎฏฬฆฌฑฒฮๆฯ",
)
_HIRAGANA: Final = "のいるにしたとてをはなでがかっらこもりれすまうあきくさけせそどよんちつえおだみわやめじ"
_KATAKANA: Final = (
    "ンーアイウエオカキクコサシスセタチツテトナニネノハフヘホマミムメモヤユヨラリルレロガギグジズダデドバビブプパピポ"
    "ッャュョァィォ"
)
_KANJI: Final = (
    "日一人国年大本中出時行会生者事社自分上業方間地学東部同見手内長月小立発合前新場員定動回体力理田主代通法物用"
    "度高意今後来気思言水金山私文名話電車道書取全明性的関当家化市対情知食海町教使作正心多女子目問題世界政所実作"
)
_SIMPLIFIED: Final = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所"
    "然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与"
    "长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己"
    "制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系"
    "气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社"
    "便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取"
)
_TRADITIONAL: Final = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所"
    "然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與"
    "長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己"
    "制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系"
    "氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社"
    "便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取"
)
_HANGUL: Final = (
    "이다는의에가을하고지은기사로를리인대한자도어스서시나정일부수과아라해그있장여으전주동상공원제보만연구들게면유경"
    "조마소비성계요국세니와신진오관학무었것했할위중문생말모적간물음같않때우내받산화회거안집치방교명실발바러미선년분"
)
_WIDE: Final = "，。、；：？！「」『』（）《》“”…—　・〜〈〉【】"


def _falling(letters: str, decay: float, mass: float) -> dict[str, float]:
    """Return weights that fall by *decay* from letter to letter."""
    distinct = list(dict.fromkeys(letters))
    total = sum(math.exp(-rank / decay) for rank in range(len(distinct)))
    return {letter: math.log(mass / total) - rank / decay for rank, letter in enumerate(distinct)}


def _level(letters: str, mass: float) -> dict[str, float]:
    distinct = set(letters)
    return dict.fromkeys(distinct, math.log(mass / len(distinct)))


@cache
def alphabets() -> tuple[Alphabet, ...]:
    """Return every language's alphabet."""
    latin = [
        Alphabet(weights=_falling(letters, 4.0, 0.95), words=frozenset(words.split())) for letters, words in _LATIN
    ]
    latin.append(Alphabet(weights=_falling(_VIETNAMESE, 7.0, 0.95), words=frozenset(_VIETNAMESE_WORDS.split())))
    others = [Alphabet(weights=_falling(letters, 9.0, 0.95)) for letters in _OTHERS]
    wide = _level(_WIDE, 0.1)
    kana = _falling(_HIRAGANA, 14.0, 0.55) | _level(_KATAKANA, 0.12)
    east = [
        Alphabet(weights=wide | kana | _falling(_KANJI, 70.0, 0.17)),
        Alphabet(weights=wide | _falling(_SIMPLIFIED, 130.0, 0.65)),
        Alphabet(weights=wide | _falling(_TRADITIONAL, 130.0, 0.65)),
        Alphabet(weights=wide | _falling(_HANGUL, 50.0, 0.7)),
    ]
    return tuple(latin + others + east)


@cache
def eastern() -> frozenset[str]:
    """Return the commonest ideographs, kana, syllables and their punctuation."""
    return frozenset(_WIDE + _HIRAGANA + _KATAKANA + _KANJI + _SIMPLIFIED + _TRADITIONAL + _HANGUL)
