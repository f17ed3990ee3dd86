import type { Unit } from "./report.js";

/** Three significant digits at least, whole numbers from a hundred on, thousands apart; with the unit. */
export function formatFigure(value: number, unit: Unit): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  const text = unit === "bytes" || unit === "tokens" ? Math.round(value).toLocaleString("en-US") : plain(value, digits);
  return unit === "%" ? `${text} %` : `${text} ${unit}`;
}

function plain(value: number, digits: number): string {
  return Number(value.toFixed(digits)).toLocaleString("en-US", { maximumFractionDigits: digits });
}
