/** What the form of a value says about the parameter it is for. */
const FORMS: readonly { readonly form: RegExp; readonly words: readonly string[] }[] = [
  { form: /\b\d{4}[-./]\d{1,2}[-./]\d{1,2}\b|\b\d{1,2}[-./]\d{1,2}[-./]\d{2,4}\b/, words: ["date"] },
  {
    form: /\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d/i,
    words: ["date"],
  },
  {
    form: /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:today|tomorrow|yesterday|tonight|next (?:week|month|year))\b/i,
    words: ["date"],
  },
  { form: /\b\d{1,2}(?::\d\d| ?[ap]\.?m\b)/i, words: ["time"] },
  { form: /https?:\/\/|\bwww\./i, words: ["url"] },
  { form: /[\w.]@[\w-]+\.\w/, words: ["email"] },
  { form: /[$€£¥] ?\d|\d ?(?:dollars?|euros?|usd|eur)\b/i, words: ["amount", "price"] },
  { form: /\d ?%/, words: ["percentage", "rate"] },
  { form: /\b\d{1,3}(?:\.\d{1,3}){3}\b/, words: ["ip"] },
  { form: /\b(?:in|near|from|at|to) \p{Lu}\p{Ll}|\p{Ll}, ?\p{Lu}/u, words: ["city", "location"] },
  { form: /[\w-]\.(?:txt|png|jpe?g|pdf|csv|json|md|docx?|xlsx?)\b|(?:^|\s)[~.]{0,2}\/\w/i, words: ["file", "path"] },
  { form: /\bwhere\b/i, words: ["location"] },
  { form: /\bwhen\b/i, words: ["date", "time"] },
  { form: /\bwho\b/i, words: ["person", "name"] },
  { form: /\bhow many\b/i, words: ["number", "count"] },
  { form: /\bhow much\b/i, words: ["amount", "price"] },
  { form: /\bhow far\b/i, words: ["distance"] },
  { form: /\bhow long\b/i, words: ["duration", "time"] },
];

/** Words that a query does not hold but implies by dates, addresses, amounts and question words. Not stemmed. */
export function impliedWords(query: string): readonly string[] {
  return [...new Set(FORMS.flatMap(({ form, words }) => (form.test(query) ? words : [])))];
}
