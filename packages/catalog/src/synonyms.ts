import { stem } from "./words.js";

/** Words for much the same in what tools do and in how people ask for it, a line each. General English, for no catalog. */
const ACTIONS = `
find search seek lookup locate discover
get fetch retrieve obtain read
list show display enumerate view browse
create make add new generate
delete remove erase drop destroy discard clear
update modify edit change alter revise adjust
copy duplicate clone
move transfer relocate
send deliver post submit
reply respond answer comment
start launch run execute begin trigger invoke
stop end terminate kill halt quit
cancel abort
open visit navigate
switch select change
buy purchase order
book reserve reservation schedule
sort arrange order rank
calculate compute
convert conversion transform
compare comparison difference
combine merge join concatenate concat
split divide
sum add total plus
multiply product times
subtract minus
average mean
check verify validate inspect
install setup
deploy release publish
upload attach attachment
download save export
import load
share invite
approve accept confirm
reject decline deny
notify notification alert
history log record
draw plot chart graph diagram visualize
summarize summary
explain describe description
remember memory store
click press tap push
type enter write input
pause suspend
resume continue
restore recover undo rollback revert
increase raise
decrease lower reduce
enable activate
disable deactivate
login signin authenticate auth authentication
register signup
pay payment charge
refund reimburse
track status progress
monitor watch`;

/** The same for what tools are about. */
const THINGS = `
reminder remind alarm
invoice bill receipt
ship shipment delivery parcel package
folder directory
file document
picture image photo photograph
video clip movie film
movie film cinema theater
song music track tune
mail email message
chat message conversation
sms text message
phone mobile telephone
person people user contact
customer client
employee staff worker
company business firm organization org
meeting event appointment calendar
task todo ticket issue
bug issue defect
repo repository project
build pipeline job
container docker
kubernetes k8s kubectl
database db
row record
column field property attribute
web internet online
website site webpage page url link
error failure exception crash
weather forecast temperature climate
taxi cab ride
car vehicle automobile
flight plane airplane airline
train railway rail
hotel room accommodation lodging
house home apartment property
restaurant dining food meal eat cuisine
recipe cook cooking dish
doctor physician
medicine drug medication
price cost fee amount
money cash currency
stock share equity
loan mortgage
job work career
school university college
student pupil
class course lesson
author writer
city town
country nation
place location address
directions route map
weight mass
time clock
secret password credential
setting configuration config option preference
version release
language translate translation
law legal
news article headline
trip travel journey vacation
attraction sightseeing
shop store
product item
volume loud sound audio
schedule calendar agenda
area surface
speed velocity
advice recommendation suggestion recommend suggest
big large size
random chance probability odds
code program script
command terminal shell
server host machine
network connection connect
process service`;

export interface Synonym {
  readonly word: string;
  /** Whether it says what a tool is about; an action alone does not. */
  readonly isThing: boolean;
}

/** Synonyms of each word, all stemmed. */
export function readSynonyms(): ReadonlyMap<string, readonly Synonym[]> {
  const synonyms = new Map<string, Map<string, Synonym>>();
  for (const [lines, isThing] of [[THINGS, true] as const, [ACTIONS, false] as const]) {
    for (const line of lines.trim().split("\n")) addGroup(synonyms, line.split(" ").map(stem), isThing);
  }
  return new Map([...synonyms].map(([word, others]) => [word, [...others.values()]]));
}

function addGroup(synonyms: Map<string, Map<string, Synonym>>, group: readonly string[], isThing: boolean): void {
  for (const word of group) {
    const others = synonyms.get(word) ?? new Map<string, Synonym>();
    for (const other of group) if (other !== word && !others.has(other)) others.set(other, { word: other, isThing });
    synonyms.set(word, others);
  }
}
