/** How sure a name is: `strict` holds a credential whatever is in it, `likely` may also name a word of a grammar. */
export type CredentialName = "strict" | "likely";

/** Words that make a name a credential's wherever they stand in it. */
const STRICT_WORDS = words(
  "password passwords passwd pwd passphrase passcode secret secrets credential credentials apikey apikeys authorization " +
    "jwt connectionstring privatekey accesskey secretkey signingkey encryptionkey accountkey sharedkey servicekey masterkey " +
    "sshkey deploykey authkey licensekey sessionkey webhooksecret clientsecret dsn otp pincode cookie",
);
const LIKELY_WORDS = words(
  "token tokens bearer auth pin pass authtoken accesstoken refreshtoken sessiontoken idtoken pat",
);

/** Two neighbouring words that make one of the above. */
const STRICT_PAIRS = words(
  "api_key api_keys private_key access_key secret_key signing_key encryption_key account_key shared_key service_key " +
    "master_key ssh_key deploy_key auth_key license_key session_key storage_key connection_string pin_code",
);

/** A name that ends so speaks about a credential: how it is called, where it is, how many there are. */
const ABOUT_WORDS = words(
  "name names type types url uri endpoint path file field fields selector header headers count counts limit limits length " +
    "size max min budget index label placeholder prefix suffix pattern regex regexp format policy kind status state error " +
    "errors message title description scope scopes expiry expires ttl provider length usage used rate version hint enabled " +
    "required valid strength method mode options store manager service",
);

/** Before `token` and `tokens` these count words of a text, or name its pieces. */
const COUNTING_WORDS = words("max min total num count prompt completion input output cached used remaining next prev");

/** Names that hold several credentials: everything in a literal under them is one. */
const COLLECTION_WORDS = words("secrets credentials tokens passwords apikeys keys");

/** Whether a variable, property, header or parameter of this name holds a credential. */
export function credentialName(name: string): CredentialName | undefined {
  const parts = wordsOf(name);
  const last = parts.at(-1);
  if (last === undefined || ABOUT_WORDS.has(last)) return undefined;
  for (const [index, part] of parts.entries()) {
    if (STRICT_WORDS.has(part) || STRICT_PAIRS.has(`${part}_${parts[index + 1] ?? ""}`)) return "strict";
  }
  const isCounting = last === "tokens" && parts.some((part) => COUNTING_WORDS.has(part));
  return !isCounting && parts.some((part) => LIKELY_WORDS.has(part)) ? "likely" : undefined;
}

export function isCollectionName(name: string): boolean {
  return COLLECTION_WORDS.has(wordsOf(name).at(-1) ?? "");
}

/** Whether a text looks made up by a machine or a careful person: six characters or more, not only letters. */
export function isOpaque(text: string): boolean {
  return text.length >= 6 && !/\s/.test(text) && /[^A-Za-z_-]/.test(text) && /[A-Za-z0-9]/.test(text);
}

/** Whether a text only announces a credential: the scheme of a header, blanks, punctuation. */
export function isAnnouncement(text: string): boolean {
  return !/[A-Za-z0-9]/.test(text) || /^\s*(?:bearer|basic|token|digest|apikey|negotiate)\s*$/i.test(text);
}

const MAX_NAME_CHARS = 200;

/** `apiKey`, `API_KEY`, `x-api-key` and `APIKey` have the words of one name. */
export function wordsOf(name: string): string[] {
  return name
    .slice(-MAX_NAME_CHARS)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== "");
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
