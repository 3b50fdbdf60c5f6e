//! Words that mean something by themselves. One of these is never read as another word mistyped: `unlock` is no
//! slip of `unblock`, and a call that means one must not run the other.

/// Verbs and nouns that stand in names of tools, and those that are one slip away from them.
const WORDS: &str = "
accept access account action active actual add address admin advice agent alarm album alert alias allow alter amount
analyze annotate answer append apply approve archive area array article ask assert asset assign attach audio audit
auth author backup balance ban band bank base bash bat batch bear bell bet bid bill bind birth bit black blank blend
block blog board boat body bold bolt bond book boot border bound branch brand brave break brick bring broadcast browse
buffer build bulk bump bundle burn but button cable cache calendar call cancel canvas capture card care cart case cast
catalog catch category cause cave cell chain chair change channel chapter char charge chart chat check checkout child
choice choose chunk city claim clamp class clean clear click clip clock clone close cloud cluster coach coat code coin
collapse collect color column combine comment commit compare compete compile complete component compose compress
compute concat condition config confirm connect console contact contain content context contract control convert
cookie copy core corner correct cost count country court cover crash crave crawl create credit crick crop cross crowd
cursor cut cycle daily data date deal dear debug decide decline decode decrease decrypt default defer define delay
delegate delete deliver demo deny deploy depth describe design desk destroy detach detail detect device diagram dial
dialog dice diff digest direct disable discard disconnect discover disk dismiss dispatch display distance distribute
dive divide dock document domain double download draft drag drain draw drive drop duck dump duplicate duration echo
edge edit element elevate email embed emit empty enable encode encrypt end engine enqueue enrich enter entry env erase
error escape estate eval evaluate event evict except exec execute exit expand expect expire explain explore export
expose express extend extract face fact fail farm fate fault favor fear feature feed fetch field figure file fill film
filter final find fine finish fire firm five fix flag flash flat flip float flock flood floor flow flush focus fold
folder follow food forget fork form format forum forward found fragment frame free freeze friend from front function
fund fuse game gate gather gauge gave generate get ghost gift give global goal goat grab grade grand grant graph grass
grave green greet grep grid group grow guard guess guest guide hand handle hang hash hate have head header heal health
heap hear help here hero hide history hold holder hole home hook host hour house hover hut ice icon identify ignore
image impact import improve inbox include income increase index infect infer info ingest init input insert inspect
install instance invert invest invite invoice invoke issue item jet join judge jump keep kernel key kill kind king
knock label land lane language last latch late launch layer lead leaf learn lease leave left lend level lever library
lick life lift light like limit line link lint list listen live load loan local locate lock log login logout look loop
lose loss lost love mail main make male manage map march margin mark market mask mass master match mate math matter
measure media meet member memory mention menu merge message meter method metric mice migrate mile mind mine minify
mint minute miss moan mock mode model modify module mole money monitor month more mouse move movie mute name native
near nest net network news next nice node noise note notice notify number nut object observe offer office offset older
open operate option order organize outer output owner pack package pad page paint pair pane panel paper parent park
parse part party pass past paste patch path pause pay pear peek permit person pet phase phone photo pick pile pin ping
pink pipe pivot place plain plan plane plant plate play playback playlist plot plug point pole poll pool pop port
portal pose post power predict prefer prepare present press prevent preview price print prize probe process product
profile program project promote prompt proof protect prove provide provision proxy prune publish pull pulse purchase
purge push put query question queue quiet quit quota quote race radio raise random range rank rate ratio rave reach
react read ready real rear reboot rebuild recall receive recipe record recover redact redeem redirect redo reduce
refer refine reform refresh refund region register reject relate relay release reload remain remind remote remove
rename render renew rent repair repeat replace replay reply report request require rerun reserve reset resize resolve
resource respond rest restart restore restrict result resume retain retire retry return reveal reverse revert review
revoke reward rewind rewrite rice ride right ring rise risk road rock role roll room root rotate round route row rude
rule run safe sale salt sample sand sat save scale scan scene schedule scope score scrape screen script scroll seal
search seat second secret secure seek select self sell send sense sequence serial serve service session set settle
setup shade shape share shave sheet shell shift ship shock shop shot show shrink shuffle shut sick side sign signal
silence simulate sing sink sit site size skate sketch skill skip slack slash slate slave sleep slice slide slot smart
smooth snap snapshot snooze sock socket sole solve song sort sound source space span spawn speak spec speech speed
spell spend split sport spot spread squash stack staff stage stake stamp stand star start stash stat state statement
stats status stay steal step stick stock stop store story strategy stream street string strip stroll structure study
style subject submit subscribe subtract suggest suite sum summarize summary supply support surface survey suspend swap
switch symbol sync system table tag tail take talk tank tape target task tax teach team tear tell temp template tenant
term terminal terminate test text thank theme there thick thread throw ticket tide tier tile time timer title toggle
token topic total touch tour tower town trace track trade traffic trail train transact transfer transform translate
transport trash travel treat tree trend trial trick trigger trim trip truck trust tune turn type unit update upgrade
upload usage use user validate value vault vector vendor verify version vet view visit visual voice volume vote wait
wake walk wall want warm warn wash watch water wave wear weather web week weight were wet what when where whether
which while white whole wide width wife window wing wipe wire wise word work workflow world wrap write year yet zero
zip zone zoom
";

/// Short words that change what a name means by standing in it.
const PARTICLES: &str = "
all and any as at async both by cc clear del dm down dry each every except for force from get in into no non none not
now off on once only or out over per pre put raw re rm ro rw set sub sudo sync to un under undo up via with without
";

/// Turned round or done once more, a word is still a word: `unlock`, `remount`, `disconnect`.
const BEFORE: [&str; 9] = ["un", "re", "de", "dis", "pre", "mis", "out", "over", "up"];

pub(super) fn is_particle(word: &str) -> bool {
    PARTICLES.split_ascii_whitespace().any(|listed| listed == word)
}

pub(super) fn is_plain(word: &str) -> bool {
    let is_listed =
        |word: &str| is_particle(word) || WORDS.split_ascii_whitespace().any(|listed| listed == word);
    let is_word = |word: &str| is_listed(word) || word.strip_suffix('s').is_some_and(is_listed);
    is_word(word) || BEFORE.iter().filter_map(|before| word.strip_prefix(before)).any(is_word)
}
