/** Plain forms found without running code of the value: what a getter would give is written as a note. */
import { objectForm } from "./object-form.js";
import { listForm, note, recordForm, shorten, type PlainForm, type PlainMembers } from "./plain-form.js";
import { append, bareList, bareRecord, hasOwn, ownProperty, prototypeOf } from "./primordials.js";

const GETTER_NOTE = "[Getter]";
const MAX_PROTOTYPE_STEPS = 32;

/** The plain form of any object or function; its members are copies. The traps of a Proxy are all that may run. */
export function inertForm(value: object): PlainForm {
  if (typeof value === "function") return inertFunctionNote(value);
  const form = objectForm(value);
  return form.type === "members" ? copyOf(form) : form;
}

function copyOf({ source, names, length }: PlainMembers): PlainForm {
  if (names === undefined) {
    const list = bareList<unknown>();
    for (let index = 0; index < length; index++) append(list, inertRead(source, index));
    return listForm(list, length);
  }
  const record = bareRecord();
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    record[name] = inertRead(source, name);
  }
  return recordForm(record, names);
}

/** A property, own or inherited, without running its getter. */
function inertRead(source: object, key: PropertyKey): unknown {
  let holder: object | null = source;
  for (let step = 0; step < MAX_PROTOTYPE_STEPS && holder !== null; step++) {
    const property = ownProperty(holder, key);
    if (property !== undefined) return hasOwn(property, "value") ? property.value : GETTER_NOTE;
    holder = prototypeOf(holder);
  }
  return undefined;
}

function inertFunctionNote(value: object): PlainForm {
  const name = inertRead(value, "name");
  const label = typeof name === "string" && name !== "" && name !== GETTER_NOTE ? shorten(name) : "(anonymous)";
  return note(`[Function: ${label}]`, "is a function, which JSON cannot carry");
}
