"""Short and pet forms of given names, curated: only those that people take for the same name
without asking.

Each line is a formal name with its short forms. A short form may belong to several formal names
("Alex"). Spellings of one name in several languages (Peter, Pedro) are not short forms: they tell
people apart.
"""

from __future__ import annotations

from collections.abc import Mapping

_TABLE = """
abigail abby abbie gail
abraham abe bram
adelaide addie
agnes aggie
albert al bert bertie
alexander alex alec sandy sasha xander lex
alexandra alex sandra sasha lexi sandy alexa
alfred al alf alfie fred freddie
alison ali allie
amanda mandy
amelia millie amy
andrea andie
andrew andy drew
anastasia nastya stacy
angela angie
anthony tony ant
antonio tony toni
antonia toni
archibald archie
arnold arnie
arthur art artie
augustus gus
augustine gus
barbara barb barbie babs
bartholomew bart
beatrice bea trixie
belinda bel
benedict ben
benjamin ben benji benny
bernard bernie
bradley brad
brenda bren
bridget bridie
calvin cal
cameron cam
carolina caro
caroline caro carrie
cassandra cass cassie
catherine cathy cate cat kate katie
cecilia cece celia
charles charlie chuck chas chaz
charlotte charlie lottie
chester chet
christian chris
christina chris tina chrissy
christine chris tina chrissy
christopher chris kit topher
clifford cliff
clinton clint
constance connie
cornelius neil
cynthia cindy
cyrus cy
daniel dan danny
danielle dani
darlene dar
david dave davey
deborah deb debbie debby
delia dee
dennis den denny
derek del
desmond des
diana di
dmitri dima mitya
dominic dom nick
donald don donnie
dorothea dora thea
dorothy dot dottie dolly
douglas doug
edgar ed eddie
edmund ed eddie ned
eduardo edu
edward ed eddie ned ted teddy
edwin ed eddie
eleanor ellie nell nora
ekaterina katya
elena lena
elizabeth liz lizzie lizzy beth betty eliza libby betsy bess lisa
elliot eli
emily em emmy millie
emma em
emmanuel manny
ernest ernie
esther essie
eugene gene
evelyn evie
ezekiel zeke
florence flo florrie
frances fran frankie francie
francesca fran
francis frank frankie
francisco paco pancho
franklin frank
frederick fred freddie freddy
gabriel gabe
gabriela gabi gaby
gabrielle gabby
geoffrey geoff
george georgie
georgina georgie gina
gerald gerry jerry
gerard gerry
gertrude gertie trudy
giovanni gianni
giuseppe beppe
gregory greg
guadalupe lupe
gwendolyn gwen
harold harry hal
harriet hattie
helena lena
henrietta hettie
henry hank harry hal
herbert herb bert
howard howie
hubert bert
ignacio nacho
ignatius iggy
irving irv
isaac ike zac
isabel izzy bella
isabella izzy bella
jacob jake
jacqueline jackie
james jim jimmy jamie jem
jane janie
janet jan
jason jay
jeffrey jeff
jennifer jen jenny jenn
jeremiah jerry
jeremy jem jerry
jerome jerry
jessica jess jessie
joanna jo
joanne jo
johanna hanna jo
johannes hannes hans
john johnny jack jon
jonathan jon jonny nathan
joseph joe joey jo
josephine jo josie
joshua josh
jose pepe
juan juanito
judith judy jude
julia jules
julian jules
karen kaz
katarina kat
katherine kate katie kathy kat kit kitty kay
kathleen kathy kath kate katie
kathryn kate katie kathy kat
kenneth ken kenny
kimberly kim
konstantin kostya
kristina tina
kristen kris
lawrence larry laurie
leonard leo len lenny
leonardo leo
leopold leo
leslie les
lillian lily lil
louis lou louie
louisa lou
louise lou
lucas luke
lucille lucy
lucinda lucy cindy
madeleine maddie maddy
madeline maddie maddy
magdalena lena magda
malcolm mal
manuel manny manolo
marcus marc mark
margaret maggie meg peggy marge margie greta madge
margarita rita
maria mia
marianne mari
marilyn mari
marjorie marge margie
martin marty
martha marty
matilda tilda tilly
matthew matt matty
matthias matt
maureen mo
maurice mo
maximilian max
maxine max
maxwell max
megan meg
melanie mel
melinda mindy mel
melissa mel missy
melvin mel
mercedes merche
meredith merry
michael mike mick mickey mikey
michaela mickey
michelle shelly
mikhail misha
mildred millie
miranda randy mindy
miriam mim
mitchell mitch
mohammed mo
montgomery monty
morris mo
mortimer mort
muhammad mo
nadezhda nadia
nancy nan
natalia nat natasha
natalie nat
nathan nate nat
nathaniel nate nat nathan
nicholas nick nicky nico
nicole nicky nikki
nikolai kolya
nora norrie
norman norm
olga olya
oliver ollie
olivia liv livvy
oscar ossie
oswald oz ozzie
pamela pam
patricia pat patty tricia trish patsy
patrick pat paddy rick
paula polly
penelope penny
percival percy
peter pete
petronella nell
philip phil pip
phillip phil pip
phyllis phyl
priscilla cilla
prudence prue
rachel rach
rafael rafa
raymond ray
rebecca becky becca
reginald reg reggie
rene ren
richard rick dick richie rich ricky
robert bob rob bobby robbie bert
roberta bobbie
roderick rod
rodney rod
roger rog
roland rollie
ronald ron ronnie
rosalind roz
rosemary rosie romy
rudolph rudy rolf
rupert rupe
russell russ
salvador sal
salvatore sal sammy
samantha sam sammy
samuel sam sammy
sandra sandy
santiago santi
sarah sally sadie
sebastian seb bastian basti
sergei seryozha
shannon shan
sharon shaz
sheldon shelly
shirley shirl
sidney sid
simon si
solomon sol
sophia sophie
spencer spence
stanley stan
stella ella
stephanie steph stef
stephen steve stevie
steven steve stevie
stewart stu
stuart stu
susan sue susie suzy
susanna sue susie suzy sanna
suzanne sue suzy
svetlana sveta
sylvester sly
sylvia syl
tabitha tabby
tamara tammy
tatiana tanya
terence terry
teresa terry tess tessa
theodora dora thea
theodore ted teddy theo
theresa terry tess tessa
thomas tom tommy
tiffany tiff
timothy tim timmy
tobias toby
tomas tom
ursula ursa
valentina val
valentine val
valerie val
vanessa nessa
veronica ronnie roni vera
victor vic
victoria vicky tori vikki
vincent vin vince vinny
violet vi
virginia ginny ginger
vivian viv
vladimir vova volodya
wallace wally
walter walt wally
wanda wendy
wesley wes
wilfred wilf fred
wilhelm willi
wilhelmina mina minnie
william bill billy will willy willie liam
winifred winnie fred
winston win
yekaterina katya
yevgeny zhenya
yolanda yoli
zachary zach zack zac
zachariah zach zack
"""


def _read() -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    formal: dict[str, set[str]] = {}
    heads: set[str] = set()
    for line in _TABLE.strip().splitlines():
        head, *short = line.split()
        heads.add(head)
        for name in short:
            formal.setdefault(name, set()).add(head)
    return {name: frozenset(heads) for name, heads in formal.items()}, frozenset(heads)


_FORMAL, _HEADS = _read()


def formal_names(given: str) -> frozenset[str]:
    """The formal names that a folded given name may be short for; empty if it is not known as a
    short form.
    """
    return _FORMAL.get(given, frozenset())


def is_known_given(given: str) -> bool:
    """True for a folded given name that stands in the table, formal or short."""
    return given in _HEADS or given in _FORMAL


def same_given(left: str, right: str) -> bool:
    """True if one of two folded given names is a short form of the other."""
    return right in formal_names(left) or left in formal_names(right)


def share_formal(left: str, right: str) -> bool:
    """True if both are short forms of one formal name (Bob and Rob)."""
    return bool(formal_names(left) & formal_names(right))


_ALIKE = """
alexandra alexandre alexander aleksander alejandra alejandro anderson andersen andersson andreas andrea andrew andres
annette antonia antonio arnold arnaud bernard bernhard bennett benedict benedikt brandon brendan branden bradley
braden brooks brooke burton barton carlson carlsen karlsson carmen carman carolina caroline carol carole catherine
katherine catharine katharine kathryn catalina katarina christian christina christine kristian kristina kristine
christiane christensen christiansen christopher kristofer kristoffer clark clarke claudia claudio collins colins
connor conner cooper couper cristian cristina crystal dalton daniel daniele daniela danielle darren darryl daryl
davidson davison davies davis davids dawson denise dennis deborah debora dominic dominik dominique dominica donald
ronald donovan dorothea dorothy douglas douglass edwards edward eduard eduardo edmund edmond eleanor eleanora
elisabeth elizabeth ellison allison alison elliott elliot eliott emanuel emmanuel emilia emilio erickson eriksen
eriksson evans evens ferguson fergusson fernandez fernandes ferrara ferrari ferraro fischer fisher fleming flemming
florian floriana frances francis francesca francesco franklin franklyn frederic frederick frederik fredericks
friedman friedmann freedman freeman gabriel gabriele gabriela gabriella gabrielle geoffrey jeffrey george georges
georgia georgina gerard gerald gerhard giovanna giovanni gonzales gonzalez gonzalo graham grahame gregor gregory
guillermo hansen hanson hansson harris harrison harriet hartman hartmann heather hector henderson hendrik henrik
henriksen henrikson henry hoffman hoffmann hofmann holloway hopkins hudson isabel isabella isabelle isobel izabella
jackson jakobsen jacobsen jacobson jacqueline jaqueline janssen jansen janson jennifer jenifer jensen jenson jeremiah
jeremy jessica jessika jimenez johannes johanna johannsen johannson johansen johansson johnson johnston johnstone
jonathan jonathon johnathan jordan jordana jorgensen joseph josephine josefine juliana julianna julianne julien julian
justin justine karen karin katrin katrina kennedy kenneth kirsten kristen kristin krister lambert larsen larson larsson
laura lauren laurence lawrence lewis louis luis louise louisa lucas lukas luca lucia lucian luciana luciano magnus
malcolm marcel marcela marcello marcelo marcos marcus markus maria marie mario marion marian mariana marianna marianne
marina marino marjorie marjory martin martina martine martinez martins marten matthew mathew matthews mathews matthias
mathias mattias mcdonald macdonald mcintyre mckenzie mackenzie meredith meyer meier mayer maier michael michaela
michaelis michal michel michele michelle miguel miller muller mueller millar miranda mitchell mitchel mohamed mohammed
muhammad mohammad morgan morgane morris morrison murphy murray nathalie natalie natalia natalya nelson nilsson nielsen
nilsen nicholas nicolas nikolas nicholson nicolson nichols nicole nicola nikola nikolai olivier oliver olivia olson
olsen olsson paterson patterson pattison patricia patricio patrick patrik paul paula paulo pauline peters petersen
peterson petterson pettersen pettersson petersson petra pedro pereira perreira phillip philip philipp philippe phillips
philips philippa pierce pearce peirce porter potter preston prescott ramirez ramires raymond redmond reynolds reynold
richard richards richardson ricardo riccardo roberta roberto robert roberts robertson robinson robin robyn roderick
rodrigo rodrigues rodriguez roland rolando ronaldo rosalind rosalinda rosemary rosemarie rossi russo russell russel
samuel samuels samuelson samuelsson sanders saunders sandra sandro sanchez sanches santos schaefer schaeffer schafer
schmid schmidt schmitt schmitz schneider schneiders schreiber schroder schroeder schulz schultz schulze schumacher
schuhmacher schuster schwartz schwarz sebastian sebastien sergio serge sherman sherwin shepherd sheppard shepard
simmons simons simon simone simpson sinclair smith smyth smythe snyder snider sophia sophie sofia sofie sorensen
stanley stefan stefano stefanie stephan stephanie stephen stephens stephenson stevens stevenson steven stewart stuart
suzanna susanna suzanne susanne sullivan svenson svensson swanson sylvester silvester sylvia silvia tamara tamar taylor
tyler teresa theresa terence terrence terrance theodor theodore theodora thomas thomson thompson thomsen tobias torres
tristan tristen turner tanner valentin valentina valentine valerie valeria vanessa vasquez vazquez velasquez velazquez
victor viktor victoria viktoria vincent vincente vicente vincenzo virginia virginie vivian vivien vivienne wagner
wagoner walker wallace wallis walter walther walters warren weaver weber webber webster wilhelm william williams
williamson willis wilson willson winston yvette yvonne zachary zachery zimmerman zimmermann
"""
_KNOWN = frozenset(_ALIKE.split())


def is_known_name(word: str) -> bool:
    """True for a folded given or family name that is common and looks like another: such a one is
    no misspelling.
    """
    return word in _KNOWN or is_known_given(word)
