// Marks and words that say where an expression begins, goes on and ends, and what it may be of.
export const ASSIGNMENTS = new Set(["=", ":", "??=", "||=", "&&=", "+="]);
/** What may be only looked at: a fallback of a credential, or what it is compared with. */
export const COMPARISONS = new Set(["??", "||", "==", "===", "!=", "!=="]);
/** They stand before an operand, and are none. */
export const PREFIXES = new Set("await new typeof void return delete readonly const let var".split(" "));
/** They stand between two operands. */
export const INFIXES = new Set("as satisfies instanceof in of extends is".split(" "));
/** They begin what computes. */
export const BODIES = new Set("function class async".split(" "));
/** Keys under a credential's name that hold it itself. */
export const VALUE_KEYS = new Set("value key pass plain raw default current literal text data id".split(" "));
/** First words of functions that are given a credential. */
export const GIVING = new Set("set with use add provide put assign register".split(" "));
/** Before a name they make `name :` a key, a parameter or a declaration; after anything else it is half of a `? :`. */
export const BEFORE_KEY = new Set(["", "{", ",", "(", ";", "}", "["]);
