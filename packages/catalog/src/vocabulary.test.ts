import { expect, test } from "vitest";
import { createVocabulary } from "./vocabulary.js";

test("words get numbers in the order in which they come, and keep them", () => {
  const vocabulary = createVocabulary();
  expect(vocabulary.numbersOf("send mail, sending mails")).toEqual([0, 1, 0, 1]);
  expect([vocabulary.find("mail"), vocabulary.find("fax"), vocabulary.size()]).toEqual([1, undefined, 2]);
});

test("a word is alike when one begins like the other and is not much shorter", () => {
  const vocabulary = createVocabulary();
  const [configur, conf, confidenti] = vocabulary.numbersOf("configuration conf confidentiality");
  expect(vocabulary.alike("config")).toEqual([configur, conf]);
  expect(vocabulary.alike("configuration")).toEqual([configur]);
  expect(vocabulary.alike("confidentially")).toEqual([confidenti]);
  expect(vocabulary.alike("con")).toEqual([]);
  expect(vocabulary.alike("constructor")).toEqual([]);
});

test("words alike are few, however many begin in the same way", () => {
  const vocabulary = createVocabulary();
  vocabulary.numbersOf(Array.from({ length: 5_000 }, (_, number) => `abcd${number}`).join(" "));
  expect(vocabulary.alike("abcd")).toHaveLength(12);
});
