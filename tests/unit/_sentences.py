"""A paragraph in each of many languages, for tests of encodings."""

SENTENCES = {
    "fr": "Le vieux phare se dresse à l'entrée du port, où les pêcheurs rentrent chaque soir avec leurs filets. "
    "L'été dernier, la municipalité a décidé de rénover la façade abîmée par les tempêtes ; les élèves de l'école "
    "voisine ont préparé une exposition sur l'histoire de la côte, et leur maître les a félicités. "
    "Ça commencera peut-être dès février, même si la météo s'annonce mauvaise.",
    "de": "Die alte Mühle am Fluss wurde im vergangenen Frühjahr gründlich überholt. Über tausend Gäste kamen zur "
    "Eröffnung, hörten Musik und aßen frisches Brot. Für nächstes Jahr wünscht sich der Müller größere Räume, damit "
    "auch Schüler die Maschinen ansehen können. Äpfel und Öl aus der Gegend gehören natürlich zum Fest.",
    "es": "La niña cruzó el jardín detrás de la biblioteca y encontró un cuaderno lleno de dibujos. ¿Quién lo habría "
    "dejado allí? Su abuelo, que trabajó muchos años en el pequeño museo del pueblo, le explicó que pertenecía a un "
    "pintor español. Mañana irán juntos a la exposición y también visitarán el río, donde crecían árboles altísimos.",
    "pt": "A avó contava histórias à lareira enquanto o vento soprava lá fora. As crianças não queriam dormir; pediam "
    "sempre mais uma canção e mais uma maçã. De manhã, o irmão mais velho saía para a pesca e voltava ao anoitecer, "
    "cheio de notícias. Então todos se juntavam à volta da mesa e comiam pão, feijão e azeitonas até às nove.",
    "it": "La città vecchia è piena di vicoli stretti, e perciò chi arriva per la prima volta si perde facilmente. Più "
    "tardi però si scopre che ogni strada porta alla piazza, dove c'è un caffè aperto già all'alba. Là si può leggere "
    "il giornale con tranquillità, finché il lunedì non ricomincia l'attività del mercato e della società.",
    "sv": "På hösten blåser det hårt över slätten, och de små husen får nya fönster innan vintern. Lärarna på skolan har "
    "börjat spela in gamla berättelser från bygden så att även de yngsta kan lära känna dem. Många äldre människor "
    "tycker att det är roligt att få frågor; några har sparat brev och fotografier ända från sin barndom på ön.",
    "da": "Når færgen lægger til ved øen, står børnene allerede på kajen og vinker. Der er ikke så mange huse, men "
    "kroen har åbent hele året, og om søndagen spiser man stegt rødspætte med grønne ærter. En ældre fisker fortæller "
    "gerne om storme, der førte både på land, og om dengang havet frøs til is mellem småøerne.",
    "fi": "Järven rannalla seisoo vanha mökki, jossa kesäisin asuu kolme sukupolvea. Isoäiti keittää kahvia, pojat "
    "hakevat vettä kaivosta ja äiti lukee ääneen päiväkirjaa, jota hänen isänsä piti sodan jälkeen. Illalla sytytetään "
    "lyhdyt ja lämmitetään sauna; sitten mennään uimaan, vaikka vesi on jo syyskuussa melko kylmää.",
    "is": "Þegar veturinn kemur á heiðina verða dagarnir stuttir og bændurnir sækja féð heim í hús. Gömul saga segir að "
    "þar hafi áður búið maður sem kunni að lesa í skýin. Hann sagði fyrir um storma og góða tíð, og fólkið trúði "
    "honum. Nú er aðeins eftir tóft við ána, en börnin leika sér þar enn þá á sumrin og tína ber í fötur.",
    "pl": "Wczesną wiosną, gdy śnieg topnieje na zboczach gór, pasterze wyprowadzają owce na łąki. Źródła są wtedy "
    "pełne zimnej wody, a ścieżki śliskie i grząskie. Dzieci idą do szkoły przez las, niosąc książki i chleb, "
    "który upiekła babcia. Później, gdy zrobi się ciepło, będą mogły kąpać się w jeziorze i łowić ryby aż do zmierzchu.",
    "cs": "Starý hodinář měl dílnu v úzké uličce pod hradem. Každé ráno otevřel okenice, přivítal sousedy a začal "
    "opravovat přístroje, které mu lidé přinášeli z celého města. Říkalo se, že dokáže oživit i hodiny, jež se "
    "zastavily před sto lety. Když přišla zima, svítil až do noci a jeho žák mu pomáhal třídit nejmenší součástky.",
    "hu": "A folyó mentén fűzfák állnak, árnyékukban horgászok ülnek és várják, hogy megrezdüljön a zsinór. Délután "
    "megérkezik a hajó, amely lisztet és gyümölcsöt hoz a szigetre. Az öreg révész minden gyereket a nevén szólít, "
    "és közben régi történeteket mesél a nagy árvízről, amikor a házak tetejéről mentették az embereket és a jószágot.",
    "ro": "În fiecare dimineață, bătrânul grădinar își ia stropitoarea și coboară încet spre râu. Acolo, lângă podul "
    "de lemn, crește un măr pe care l-a sădit tatăl său. Oamenii din sat spun că fructele lui sunt mai dulci decât "
    "mierea și că vindecă răceala. Toamna, când se adună toți vecinii, se face suc și se cântă până târziu în noapte.",
    "hr": "Stari brod pristaje uz gat svako jutro točno u šest, dok se još čuju cvrčci i miriše more. Ribari iznose "
    "sanduke, žene već čekaju s košarama, a dječaci trče između ljudi tražeći izgubljenu mačku. Kad sunce izađe iznad "
    "brežuljka, sve se smiri; ostaje samo svjetioničar, koji žmiri prema pučini i bilježi vjetar u malu knjižicu.",
    "lt": "Senas bitininkas gyveno prie ežero ir kiekvieną rytą žiūrėdavo, ar virš miško nekyla rūkas. Jis žinojo, kad "
    "šiltą dieną bitės išskris anksčiau, todėl paruošdavo vandens ir švarių indų. Vaikai ateidavo klausytis, kaip jis "
    "pasakoja apie žiemą, kai sniegas užpustė visus kelius, o žmonės slidėmis čiuožė į miestą duonos.",
    "lv": "Vecā skolotāja dzīvoja mājā pie upes, kur vasarās ziedēja ābeles un ķirši. Katru vakaru viņa lasīja bērniem "
    "pasakas par mežu, kurā dzīvnieki runā kā cilvēki. Rudenī, kad lija lietus, viņi kopā šķiroja sēklas, žāvēja tējas "
    "un rakstīja vēstules draugiem ārzemēs. Tā pagāja gads, un neviens nejutās vientuļš.",
    "et": "Vana meremees istus kai ääres ja parandas võrke. Tema kõrval mängisid lapsed, kes tahtsid kuulda, kuidas ta "
    "noorena ümber maailma sõitis. Õhtul tõusis tuul, lained lõid üle müüri ja kõik läksid tuppa sööma. Ema oli "
    "küpsetanud leiba, isa tõi põõsast marju, ning hiljem räägiti veel öö läbi vanadest aegadest.",
    "tr": "Küçük kasabanın çarşısında her sabah erkenden taze ekmek kokusu yayılır. Yaşlı fırıncı, dükkânının önünü "
    "süpürür ve gelen geçene günaydın der. Öğrenciler okula giderken sıcak simit alır, öğretmenler çay içip gazete "
    "okur. Kışın kar yağınca yollar kapanır, ama o yine de gün doğmadan işe başlar; çünkü insanlar onu bekler.",
    "mt": "Kull filgħodu l-bidwi jinżel fl-għalqa qabel ma titla' x-xemx u jara jekk ix-xita għamlitx ħsara. Ħuh iġib "
    "l-għodda u t-tfal jiġbru ż-żebbuġ mill-art. Wara nofsinhar joqogħdu taħt is-siġra tal-ħarrub, jieklu ħobż biż-żejt "
    "u jitkellmu dwar iż-żmien meta l-baħar kien wasal sal-knisja. Fil-għaxija jerġgħu lura lejn ir-raħal bil-mod.",
    "vi": "Mỗi buổi sáng, bà tôi dậy rất sớm để tưới những luống rau sau nhà. Khi mặt trời vừa lên, bà gánh hai thúng "
    "đầy ra chợ, vừa đi vừa chào hỏi người quen. Trẻ con trong làng thích nghe bà kể chuyện ngày xưa, khi con đường "
    "còn là một dòng sông nhỏ và mọi người phải chèo thuyền đến trường.",
    "ru": "Старый смотритель маяка каждое утро поднимался по узкой лестнице и протирал стёкла большого фонаря. Зимой "
    "море замерзало у берега, и корабли приходили редко, но он всё равно зажигал огонь в положенный час. Дети из "
    "посёлка любили слушать его рассказы о далёких странах, о бурях и о людях, которых удалось спасти.",
    "uk": "Щоранку дідусь виходив на подвір'я, дивився на небо й казав, якою буде погода. Його онуки вже знали: якщо "
    "ластівки літають низько, треба швидше збирати сіно. Увечері всі сідали за довгий стіл під яблунею, їли вареники "
    "й слухали, як співають жаби біля річки. Ґанок старої хати пам'ятав ще прадіда, який її збудував.",
    "bg": "Старият учител живееше в къща с голяма градина, където растяха ябълки и орехи. Всяка сутрин той отваряше "
    "прозореца, поздравяваше съседите и сядаше да пише писма до бившите си ученици. През зимата, когато пътищата "
    "бяха затрупани със сняг, децата идваха да четат книги от неговата библиотека и да пият чай с мед.",
    "sr": "Сваког јутра стари возар је чекао путнике крај обале и причао им о реци која је некада била шира. Људи су "
    "га волели јер је знао имена свих њихових предака. Када би пала ноћ, палио је фењер и певао тихо, да га чују "
    "рибари на другој страни. Његов унук је учио да чита уз ту песму и ђачке књиге које је добио од учитељице.",
    "kk": "Ертеде кең далада бір қария өмір сүріпті. Ол күн сайын таңертең атын ерттеп, биік төбеге шығып, айналасын "
    "ұзақ бақылайтын. Балалар оның әңгімелерін жақсы көретін, өйткені ол жұлдыздардың аттарын, ескі жолдарды және "
    "ғасырлар бұрынғы оқиғаларды білетін. Қыста қар қалың жауғанда, барлығы бір үйге жиналып, шай ішетін.",
    "el": "Ο γέρος ψαράς ξυπνούσε πριν από την ανατολή και κατέβαινε στο λιμάνι με ένα μικρό φανάρι. Η θάλασσα ήταν "
    "ήσυχη, τα δίχτυα στεγνά, και οι γάτες περίμεναν στην άκρη του μόλου. Όταν γύριζε το μεσημέρι, τα παιδιά έτρεχαν "
    "να δουν τι έφερε. Εκείνος χαμογελούσε, τους έδινε κοχύλια και τους έλεγε ιστορίες για μακρινά νησιά.",
    "he": "בכל בוקר יוצא הגנן הזקן אל החצר, משקה את העצים ומקשיב לציפורים. הילדים מהשכונה באים לעזור לו לקטוף תפוזים "
    "ולימונים, והוא מספר להם על הימים שבהם לא היה כאן אלא חול. בערב יושבים כולם סביב שולחן ארוך, אוכלים לחם וזיתים "
    "ושרים שירים ישנים. כאשר יורד הגשם הראשון, הם חוגגים ביחד ומדליקים אור קטן בחלון.",
    "ar": "في كل صباح يفتح صاحب المكتبة القديمة باب دكانه وينظف الرفوف من الغبار. يأتي إليه الطلاب من المدرسة المجاورة "
    "ليسألوا عن كتب التاريخ والجغرافيا، فيجلس معهم تحت الشجرة ويحكي لهم كيف وصلت السفن الأولى إلى هذا الشاطئ. وعندما "
    "يحل المساء يعود الجميع إلى بيوتهم، ويبقى هو وحده يقرأ حتى ينطفئ المصباح.",
    "th": "ทุกเช้าชายชราจะพายเรือออกไปกลางแม่น้ำเพื่อทอดแห เด็กๆ ในหมู่บ้านชอบนั่งรออยู่ที่ท่าน้ำ เพราะเขามักจะนำปลาตัวเล็กมาแบ่งให้ และเล่าเรื่อง"
    "เมื่อครั้งที่น้ำท่วมใหญ่จนต้องย้ายไปอยู่บนภูเขา ตอนเย็นทุกคนจะมารวมกันที่ศาลา กินข้าวร้อนๆ กับแกงและผัก แล้วฟังเสียงดนตรีเบาๆ จากวิทยุเก่า",
    "ja": "海辺の小さな町に、古い時計を直す店がありました。店の主人は毎朝早く起きて、窓を開け、通りを歩く人々にあいさつをします。子どもたちは学校の"
    "帰りに立ち寄って、歯車がゆっくり回るのを見るのが好きでした。ある日、遠い国から来た旅人が、動かなくなったオルゴールを持ってきました。主人は"
    "三日かけてそれを修理し、美しい音をもう一度よみがえらせました。町の人はその曲を聞くために集まり、夜おそくまで静かに耳をかたむけていたということです。"
    "それからというもの、店の前にはいつも花が置かれるようになりました。",
    "zh": "河边的小镇上有一家老书店，店主每天早上打开木门，把旧书搬到门口晒太阳。放学以后，孩子们喜欢坐在台阶上看书，听他讲很久以前的故事。有一年"
    "夏天下了很大的雨，河水漫进了街道，大家一起把书搬到山上的学校里。雨停之后，人们发现没有一本书丢失，于是决定每年的这一天都要在书店门口举行"
    "一次读书会。现在镇上的年轻人虽然多半去了城市工作，可是到了那一天，他们还是会坐火车回来，和老朋友们见面，一起喝茶、谈天，直到月亮升起来。"
    "店主说，只要还有人愿意读书，这扇门就会一直开着。",
    "zh-hant": "河邊的小鎮上有一家老書店，店主每天早上打開木門，把舊書搬到門口曬太陽。放學以後，孩子們喜歡坐在臺階上看書，聽他講很久以前的故事。有"
    "一年夏天下了很大的雨，河水漫進了街道，大家一起把書搬到山上的學校裡。雨停之後，人們發現沒有一本書丟失，於是決定每年的這一天都要在書店門口"
    "舉行一次讀書會。現在鎮上的年輕人雖然多半去了城市工作，可是到了那一天，他們還是會坐火車回來，和老朋友們見面，一起喝茶、談天，直到月亮升起來。"
    "店主說，只要還有人願意讀書，這扇門就會一直開著。",
    "ko": "바닷가 작은 마을에 오래된 등대가 하나 있었다. 등대지기 할아버지는 매일 저녁 계단을 올라가 불을 켜고, 아침이 되면 창문을 닦으며 지나가는 배를 "
    "바라보았다. 아이들은 학교가 끝나면 언덕에 모여 그의 이야기를 들었다. 어느 겨울밤 큰 폭풍이 불어와 전기가 끊어졌지만, 마을 사람들이 모두 등불을 "
    "들고 나와 배가 무사히 돌아올 수 있게 도와주었다. 그날 이후로 사람들은 해마다 같은 날 밤에 바닷가에 모여 작은 불빛을 밝히고 노래를 부른다. 지금도 "
    "그 마을에 가면 따뜻한 불빛과 함께 할아버지의 이야기를 들을 수 있다고 한다.",
    "en": "The keeper’s diary, found in a café near the harbour, describes “a quiet winter” – cold, but not unkind. His "
    "daughter’s letters say otherwise: the naïve plan to save fuel had failed, and the fiancé she had hoped for never "
    "wrote. It’s a small book, yet the town’s museum paid £400 for it and keeps it behind glass at 18° all year long.",
}

PAGES = (
    [("fr", page) for page in ("cp1252", "iso8859-15", "mac_roman", "cp850", "cp863")]
    + [("de", page) for page in ("cp1252", "cp850", "cp437", "mac_roman", "iso8859-15")]
    + [("es", page) for page in ("cp1252", "cp850", "mac_roman")]
    + [("pt", page) for page in ("cp1252", "cp860", "cp850")]
    + [("it", page) for page in ("cp1252", "mac_roman")]
    + [("sv", page) for page in ("cp1252", "cp850", "iso8859-10")]
    + [("da", page) for page in ("cp1252", "cp865", "mac_roman")]
    + [("fi", page) for page in ("cp1252", "cp437")]
    + [("is", page) for page in ("cp1252", "cp861", "mac_iceland")]
    + [("en", page) for page in ("cp1252", "mac_roman")]
    + [("pl", page) for page in ("cp1250", "iso8859-2", "cp852", "mac_latin2")]
    + [("cs", page) for page in ("cp1250", "iso8859-2", "cp852", "mac_latin2")]
    + [("hu", page) for page in ("cp1250", "iso8859-2", "cp852")]
    + [("ro", page) for page in ("iso8859-16",)]
    + [("hr", page) for page in ("cp1250", "iso8859-2", "cp852")]
    + [("lt", page) for page in ("cp1257", "iso8859-13", "cp775", "iso8859-4")]
    + [("lv", page) for page in ("cp1257", "iso8859-13", "iso8859-4")]
    + [("et", page) for page in ("cp1257", "iso8859-15")]
    + [("tr", page) for page in ("cp1254", "cp857", "iso8859-9", "mac_turkish")]
    + [("mt", page) for page in ("iso8859-3",)]
    + [("vi", page) for page in ("cp1258",)]
    + [("ru", page) for page in ("cp1251", "koi8-r", "cp866", "iso8859-5", "mac_cyrillic", "cp855")]
    + [("uk", page) for page in ("cp1251", "koi8-u", "cp1125", "mac_cyrillic")]
    + [("bg", page) for page in ("cp1251", "iso8859-5", "cp866")]
    + [("sr", page) for page in ("cp1251", "iso8859-5", "cp855")]
    + [("kk", page) for page in ("kz1048", "ptcp154")]
    + [("el", page) for page in ("cp1253", "iso8859-7", "cp737", "cp869", "mac_greek")]
    + [("he", page) for page in ("cp1255", "iso8859-8", "cp862")]
    + [("ar", page) for page in ("cp1256", "iso8859-6", "cp720")]
    + [("th", page) for page in ("cp874", "iso8859-11", "tis-620")]
    + [("ja", page) for page in ("shift_jis", "euc_jp", "iso2022_jp", "cp932")]
    + [("zh", page) for page in ("gb2312", "gbk", "gb18030", "hz")]
    + [("zh-hant", page) for page in ("big5", "big5hkscs", "gb18030")]
    + [("ko", page) for page in ("euc_kr", "cp949", "johab", "iso2022_kr")]
    + [("en", "cp037"), ("de", "cp273")]
)
