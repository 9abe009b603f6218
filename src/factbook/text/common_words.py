"""Everyday English words, for telling a word from a name that is written like it.

Nouns, verbs and adjectives of daily talk in their plain forms; `is_common` knows their usual
endings too. Words that are hardly ever anything but a name or are too short to be misspelt are left
out, but for those that people bear as names (`mark`, `rose`, `may`).
"""

from __future__ import annotations

from functools import lru_cache

_WORDS = frozenset(
    """
    able accept access accident account action active activity actor actual address adult advance advice affair afraid
    afternoon agency agenda agent agree ahead alarm album alive alone amazing amber amount ancient angel anger angle angry
    animal announce annual answer anxious apartment apology apparent appeal appear apple apply appointment approach
    approve april area argue argument armed arrange arrive article artist aside asleep aspect assist assume attack
    attempt attend attention attitude attract august aunt author autumn available average avoid award aware awful baby
    back backup badge badly bake baker balance ball band bank banker barely barn baron base baseball basic basil basis
    basket bath bathroom battery battle beach bear beard beat beautiful beauty become bedroom beer begin behave behind
    being belief believe bell belong belt bench bend benefit best better bike bill bird birth birthday bishop bite
    bitter black blame blank blanket bless blind bliss block blog blood bloom blossom blow blue board boat body boil bold
    bolt bomb bond bone book boot border bore boring born borrow boss bother bottle bottom bowl boxes brain branch brand
    brave bread break breakfast breath breathe brick bride bridge brief bright bring broad broken brook brother brown
    brush bubble bucket buddy budget bugs build builder building bunch burn bush business busy butcher butter button cabin
    cable cafe cake calendar call calm camera camp campaign campus cancel cancer candle candy capable capital captain
    card care career careful carol carpet carry cart carter carve case cash castle casual catch category cause celebrate
    cell center central century certain chad chain chair challenge champion chance change channel chapter character
    charge charity charm chart chase chat cheap check cheer cheese chef cherry chess chest chicken chief child childhood
    children chip choice choose chose chosen christmas church circle citizen city civil claim class classic clay clean
    clear clerk clever click client cliff climate climb clinic clock close closet cloth clothes cloud club coach coal
    coast coat code coffee coin cold collar collect college color colour column comedy comfort comic command comment
    commit common communicate community company compare compete complain complete complex computer concept concern
    concert conclude condition conduct conference confident confirm conflict confuse connect consider constant contact
    contain content contest context continue contract control convince cook cookie cool cooper copy core corn corner
    correct cost cottage couch council count counter country couple courage course court cousin cover crash cream create
    credit crew crime crisis critical crop cross crowd crown cruise crystal culture cure curious current curtain custom
    customer cute cycle daily daisy dale damage dance danger dark dart darling dash data date daughter dawn dead deadline
    deal dean dear death debate debt decade decide decision deck declare decline decorate deep deer defend define degree
    delay deliver demand dentist deny department depend deploy deposit describe desert deserve design desire desk despite
    dessert destiny detail develop device diet differ different difficult dinner direct direction director dirty disagree
    disappear disaster discord discount discover discuss disease dish display distance district divide divorce doctor
    document dollar domain double doubt draft drag drama draw drawer dream dress drew drill drink drive driver drop drug
    drum duck duke during duty each eager earl early earn earth ease easily east easy edge edit educate effect effort
    eight either elect electric element else email emerald emotion employ employee empty enable encounter encourage end
    enemy energy engage engine engineer enjoy enough ensure enter entire entry equal equipment error escape essay
    essential estate estimate even evening event eventually ever every evidence exact exam examine example excellent
    except exchange excite excited exciting excuse exercise exhibit exist exit expand expect expense expensive experience
    expert explain explore export express extend extra extreme face fact factor factory fail fair fairly faith fall false
    fame familiar family famous fancy farm farmer fashion fast father fault favor favorite favour favourite fear feast
    feature feed feedback feel fellow female fence fern festival fetch fever field fifth fight figure file fill film final
    finally finance find fine finger finish fire firm first fish fisher fishing fitness five fixed flag flame flash flat
    flavor flesh flight float flood floor flow flower focus fold folder folk follow food fool foot football force foreign
    forest forever forget fork form formal former fort forth fortune forward foster found four frame frank free freedom
    freeze fresh friday friend friendly fruit fuel full fully function fund funny furniture future gain gallery game gap
    garage garden gardener gardner garlic gate gather gene general generate gentle genuine giant gift ginger girl give
    given glad glass glen global glory glove goal goat gold golden golf gone good goods grab grace grade gradual graduate
    grain grand grandma grandpa grant graph grass grave gray great green greet grey grill grocery ground group grow growth
    guard guess guest guide guitar habit hair half hall hammer hand handle hang happen happy harbor harbour hard hardly
    harm harmony harvest haste hate hazel head heal health healthy hear heart heat heath heather heaven heavy height hello
    help herb hero hide high hike hiking hill hint hire history hobby hold hole holiday holly home honest honey honor hope
    horse hospital host hotel hour house huge human humor hunger hungry hunt hunter hurry hurt husband idea ideal identify
    ignore image imagine impact import important impossible improve inbox inch include income increase indeed industry
    inform injury inner inside insist inspire install instance instead instrument insurance intend interest interview
    introduce invest invite involve iris iron island issue item ivory jacket jade january jasmine jazz jewel jobs join
    joke journal journey judge juice july jump june jungle junior jury just justice keen keep keeper kettle keyboard kick
    kids kill kind kindness king kiss kitchen kite knee knife knit knock know knowledge label labor lack lady lake lamb
    lamp land lane language laptop large lark last late later laugh launch laundry lawn lawyer layer lazy lead leader leaf
    league lean learn least leather leave left legal legend lemon lend length less lesson letter level liberty library
    license life lift light like likely lily limit line linear link lion list listen liter little live lively living loan
    local lock lodge logic lonely long look loop loose lord lose loss lost loud love lovely lover lower loyal luck lucky
    lunch machine magazine magic mail main major make male mall manage manager manner many maple march margin marine mark
    market marketing marriage married marry marsh mask mason mass massive master match mate material math matter maybe
    mayor meal mean meant measure meat media medical medicine medium meet meeting melody member memory mention menu mercy
    merge merit mess message metal method middle might mild mile miles milk mill miller mind mine minor mint minute miracle
    mirror miss missing mistake mode model modern moment monday money monitor month mood moon moral more morning most
    mother motion motor mountain mouse mouth move movie much muscle museum music musical mystery nail name narrow nation
    native natural nature navy near nearby nearly neat neck need needle neighbor neighbour nerve nervous nest network never
    news next nice night nine noble noise none noon normal north nose note notebook nothing notice notion novel number
    nurse oath object observe obvious occasion occur ocean offer office officer official often okay older olive once online
    only open opera operate opinion option orange order ordinary organize origin other ought outcome outdoor outfit output
    outside oven owner pace pack package page pain paint painter painting pair palace pale panel panic pants paper parade
    parent park parker parking part partner party pass passage passion past pasta path patience patient pattern pause peace
    peach peak pearl penny people pepper perfect perform perhaps period permit person personal phase philosophy phone photo
    phrase piano pick picnic picture piece pile pilot pine pink pipe pitch pizza place plain plan plane planet plant
    plastic plate platform play player pleasant please pleasure plenty plot plus pocket poem poet poetry point pole police
    policy polite pond pool poor pop poppy popular porch port portion position positive possible post poster potato pottery
    pound pour power practice praise pray prefer prepare present press pressure pretty prevent previous price pride priest
    prime prince princess print prior prison private prize probably problem process produce product professor profile
    profit program progress project promise promote proof proper property propose protect proud prove provide prudence
    public pull pump pumpkin pure purple purpose push puzzle quality quarter queen quest question queue quick quiet quit
    quite quote race radio rail rain rainbow raise range rank rapid rare rate rather raven reach react read reader ready
    real reality realize reason recall receive recent recently recipe recognize recommend record recover red reduce reed
    refer reflect refuse regard region register regret regular reject relate relation relax release relief rely remain
    remark remember remind remote remove rent repair repeat replace reply report request require rescue research reserve
    resident resist resolve resort resource respect respond rest restaurant result retire return reveal review revenue
    reward rich ride right ring rise risk ritual rival river road roast robin robot rock role roll romantic roof room root
    rope rose rosemary rough round route routine rowing royal ruby ruin rule rural rush rust sacred safe safety sage sail
    sailor salad salary sale salt same sample sand sandwich sandy satisfy saturday sauce savage save saving scale scare
    scene schedule scheme scholar school science score scout scratch scream screen script search season seat second secret
    section secure security seed seek seem select sell seller send senior sense sentence separate series serious serve
    server service session settle setup seven several severe shade shadow shake shape share sharp shed sheep sheet shelf
    shell shelter shift shine ship shirt shock shoe shoot shop shopping short shot shoulder shout show shower shut sick
    side sight sign signal silence silent silly silver similar simple simply since sing singer single sister site size
    skate skill skin skip skirt slack sleep slice slide slight slip slow small smart smell smile smith smoke smooth snack
    snake snow social society sock soft software soil soldier solid solution solve song soon sorry sort soul sound soup
    source south space spare spark speak speaker special specific speech speed spell spend spirit spoil spoon sport spot
    spread spring square stable staff stage stair stamp stand standard star stare start state statement station statue
    status stay steady steal steel step stick still stock stomach stone stop store storm story strange stranger strategy
    stream street strength stress stretch strict strike string strip stripe strong structure struggle student studio study
    stuff stupid style subject submit subway succeed success sudden suffer sugar suggest suit suite summary summer sunday
    sunny super supper supply support suppose sure surface surgery surprise survey survive suspect swan sweat sweater sweet
    swift swim swimming switch symbol sympathy system table tackle tail tailor take talent talk tall tank tape target task
    taste teach teacher team tear tech teeth tell temper temple tend tennis tent term test text thank theater theatre theme
    theory therapy thick thin thing think third thirty thought thousand threat three throat throw thunder thursday ticket
    tide tidy tiger tight till time tiny tired title toast today together toilet tomato tomorrow tone tongue tonight tool
    tooth topic total touch tough tour tourist toward towel tower town track trade tradition traffic trail train trainer
    training transfer transport trap travel treasure treat treatment tree trend trial tribe trick trip trouble truck true
    truly trust truth try tuesday tune turn turner twelve twenty twice twin twist type ugly umbrella uncle under understand
    union unique unit unite universe university update upgrade upon upper upset urban urge used useful user usual usually
    vacation valley value variety various vegetable vehicle venture version very vest victim victory video view village
    violet violin virtue visa vision visit visitor vital voice volume volunteer vote wade wage wagon wait wake walk walker
    wall wallet want ward warm warn warning warrior wash waste watch water wave weak wealth wear weather weaver web
    website wedding wednesday week weekend weekly weigh weight weird welcome well west whale what wheat wheel when where
    which while white whole wide widow wife wild will willow wind window wine wing winner winter wire wisdom wise wish
    within without wolf woman wonder wood wooden woods word work worker workshop world worried worry worse worth would
    wound wrap wren wrist write writer writing wrong yard yeah year yellow yesterday yoga young youth zone zoom art joy ivy
    wrote written went gone took taken came saw seen made gave found told said kept held brought bought thought taught caught
    felt met stood understood began begun drank drunk swam sang sung rang wore worn tore torn grew grown knew known threw
    thrown flew flown drawn blew broke spoke spoken woke froze stole drove driven rode ridden risen fell fallen eaten hidden
    forgot forgotten slept spent sent built lent paid laid sold stuck struck sought fought hung dealt became shook shaken fed
    heard got gotten chosen won went youre been does doing done wake woken swum begun beaten crept dug fled leapt leant sworn
    may pat sue eve jay ray max gem sky bob jack dear tom rob rusty norm bear bush fox wolf hart rice wells woods
    """.split()
) - {"tom", "bob", "jack", "jay", "ray", "max", "rob"}

_ENDINGS = (
    ("iest", "y"), ("ier", "y"), ("ily", "y"), ("ies", "y"), ("ied", "y"), ("ing", ""), ("ing", "e"), ("ers", "e"), ("est", ""), ("er", ""), ("er", "e"),
    ("es", ""), ("ed", ""), ("ed", "e"), ("ly", ""), ("s", ""), ("y", ""), ("ness", ""), ("ful", ""), ("less", ""),
)  # fmt: skip

_ANY_ENDING = tuple({ending for ending, _ in _ENDINGS})

UNCOUNTED = frozenset(
    "art faith grace hope joy harmony patience charity prudence mercy amber summer autumn dawn rust".split()
)
"""Those that stand without an article anyway: `about hope`, `with grace`."""

IMPERATIVES = frozenset(
    "mark bill grant chase pat sue frank drew will may hunt page wade skip chip".split()
)
"""Those with which a sentence may begin that are verbs, or hardly ever the given name."""


@lru_cache(maxsize=8192)
def is_common(word: str) -> bool:
    """True for a folded word that is one of everyday English, in any of its usual forms."""
    if word in _WORDS:
        return True
    if not word.endswith(_ANY_ENDING):
        return False
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            stem = word[: -len(ending)]
            if stem + instead in _WORDS or (
                not instead and len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in _WORDS
            ):
                return True
    return False
