import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum.tokens import expand, normal


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("plain words only", ""),
        ("", ""),
        ("天文台", "天文 文台"),
        ("東京都庁へ行く", "東京 京都 都庁 庁へ へ行 行く"),
        ("字", ""),
        ("カタカナ", "カタ タカ カナ"),
        ("データベース", "デー ータ タベ ベー ース"),
        ("ひらがな", "ひら らが がな"),
        ("인터넷 검색", "인터 터넷 검색"),
        ("ภาษาไทย", "ภาษา าษาไ ษาไท าไทย"),
        ("getUserName", "get user name getusername username"),
        ("get_user_name", "get user name getusername username"),
        ("HTTPServer", "http server httpserver"),
        ("MAX_RETRY_COUNT", "max retry count maxretrycount retrycount"),
        ("sha256sum", ""),
        ("SHA256", "sha 256 sha256"),
        ("_private", "private"),
        ("os.path.join", "ospathjoin"),
        ("built-in", "builtin"),
        ("C++ and c#", "cplusplus csharp"),
        (".NET", "dotnet"),
        ("F#, G++", "fsharp gplusplus"),
        ("C+++", ""),
    ],
)
def test_what_the_index_adds(text: str, tokens: str) -> None:
    assert expand(text) == tokens


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("getUserName", "get_user_name"),
        ("getUserName", "username"),
        ("DOME_SYNC_TIMEOUT", "dome_sync_timeout"),
        ("日本語文書", "語文"),
        ("검색엔진", "색엔"),
        ("a C++ program", "C++"),
    ],
)
def test_a_text_and_a_query_for_it_meet(stored: str, asked: str) -> None:
    words = {*stored.lower().split(), *expand(stored).split()}
    assert words & {asked.lower(), *expand(asked).split()}


def test_each_token_is_added_once() -> None:
    assert expand("getName getName 天文天文") == "天文 文天 get name getname"


def test_compatibility_forms_are_unified() -> None:
    assert normal("ＦＵＬＬ ﬁne ｶﾅ e\u0301") == "FULL fine カナ é"
    assert normal("plain") == "plain"


@pytest.mark.parametrize(
    "text",
    ["x" * 2_000_000, "aB" * 1_000_000, "a_" * 1_000_000, "a.b-" * 500_000, "a" * 1_000_000 + ".", "1a" * 1_000_000],
    ids=["word", "parts", "joints", "dots", "end", "digits"],
)
def test_data_that_looks_like_one_long_name_adds_nothing(text: str) -> None:
    assert expand(text) == ""


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_every_text_can_be_expanded_into_tokens_without_spaces(text: str) -> None:
    tokens = expand(normal(text)).split(" ")
    assert len(tokens) == len(set(tokens))
