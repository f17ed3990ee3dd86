import type { ToolDescriptor } from "@codemode/core";

interface Order {
  id: string;
  customer: string;
  currency: string;
  amount: number;
}

const ORDERS: readonly Order[] = [
  { id: "o-1", customer: "c-7", currency: "EUR", amount: 120 },
  { id: "o-2", customer: "c-9", currency: "USD", amount: 80 },
  { id: "o-3", customer: "c-7", currency: "USD", amount: 15 },
];
const CUSTOMERS: Readonly<Record<string, { name: string; file: string }>> = {
  "c-7": { name: "Ada", file: "ada.txt" },
  "c-9": { name: "Grace", file: "grace.txt" },
};
const RATES: Readonly<Record<string, number>> = { EUR: 1, USD: 0.9 };

function closedObject(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

const text = { type: "string" };
const number = { type: "number" };

/** Three ordinary host tools with declared output. `onCall` sees each name as it is called. */
export function createHostTools(onCall: (name: string) => void): ToolDescriptor[] {
  return [
    {
      name: "list_orders",
      description: "Lists open orders.",
      parameters: closedObject({}),
      outputSchema: {
        type: "array",
        items: closedObject({ id: text, customer: text, currency: text, amount: number }),
      },
      execute() {
        onCall("list_orders");
        return { details: ORDERS.map((order) => ({ ...order })) };
      },
    },
    {
      name: "get_customer",
      description: "Looks a customer up.",
      parameters: closedObject({ id: text }),
      outputSchema: closedObject({ id: text, name: text, file: text }),
      execute(input) {
        onCall("get_customer");
        const { id } = input as { id: string };
        const customer = CUSTOMERS[id];
        if (customer === undefined) throw new Error(`There is no customer ${id}.`);
        return { details: { id, ...customer } };
      },
    },
    {
      name: "to_euro",
      description: "Converts an amount to euro.",
      parameters: closedObject({ amount: number, currency: { type: "string", enum: Object.keys(RATES) } }),
      outputSchema: closedObject({ euro: number }),
      execute(input) {
        onCall("to_euro");
        const { amount, currency } = input as { amount: number; currency: string };
        return { details: { euro: Math.round(amount * (RATES[currency] ?? Number.NaN) * 100) / 100 } };
      },
    },
  ];
}
