import type { Options } from "./library-request.js";

const DATE_FIELDS = ["weekday", "year", "month", "day"];
const TIME_FIELDS = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];

/** What a formatter shows when the options name no field: as `new Intl.DateTimeFormat`, or as a method of Date. */
export type DateDefaults = "formatter" | "date" | "time" | "all";

/** The options with the fields a method of Date adds, as ECMA-402 says. */
export function withDateDefaults(options: Options, defaults: DateDefaults): Options {
  const utc = { timeZone: "UTC", ...options };
  if (defaults === "formatter") return utc;
  if ("dateStyle" in options || "timeStyle" in options) return withoutWrongStyle(utc, defaults);
  const considered = [...(defaults === "time" ? [] : DATE_FIELDS), ...(defaults === "date" ? [] : TIME_FIELDS)];
  if (considered.some((field) => field in options)) return utc;
  return {
    ...utc,
    ...(defaults === "time" ? {} : { year: "numeric", month: "numeric", day: "numeric" }),
    ...(defaults === "date" ? {} : { hour: "numeric", minute: "numeric", second: "numeric" }),
  };
}

function withoutWrongStyle(options: Options, defaults: DateDefaults): Options {
  const wrong = defaults === "date" ? "timeStyle" : defaults === "time" ? "dateStyle" : undefined;
  if (wrong === undefined || !(wrong in options)) return options;
  throw new TypeError(`Invalid option : ${wrong}`);
}
