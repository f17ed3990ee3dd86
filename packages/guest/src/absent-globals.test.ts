import { expect, test } from "vitest";
import { createAbsentGlobals } from "./absent-globals.js";

test("GUEST-05: what other places have is answered with what there is here", () => {
  const insteadOf = createAbsentGlobals(() => []);
  expect(insteadOf("fetch")).toBe("A cell has no network: call a tool instead.");
  expect(insteadOf("constructor")).toBeUndefined();
});

test("the nearest global tool is named, else the guest's own global, but no form of that", () => {
  const insteadOf = createAbsentGlobals(() => ["send_mail"]);
  expect(insteadOf("sendMail")).toBe("Did you mean send_mail?");
  expect(insteadOf("catalogue")).toBe("Did you mean catalog?");
  expect(insteadOf("mcpNotesGet")).toBeUndefined();
  expect(insteadOf("jsonText")).toBeUndefined();
});

test("a name is looked for once, and only so many names are", () => {
  let reads = 0;
  const insteadOf = createAbsentGlobals(() => {
    reads += 1;
    return ["send_mail"];
  });
  expect([insteadOf("sendMail"), insteadOf("sendMail")]).toEqual([
    "Did you mean send_mail?",
    "Did you mean send_mail?",
  ]);
  for (let index = 0; index < 500; index++) insteadOf(`unknown${index}`);
  expect(reads).toBe(100);
  expect(insteadOf("sendMails")).toBeUndefined();
  expect(insteadOf("sendMail")).toBe("Did you mean send_mail?");
});
