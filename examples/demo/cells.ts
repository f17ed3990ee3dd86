// The programs a model would write. Each is sent to exec as text.

export const JOIN = `
const allowed = await MCP.files.listAllowedDirectories({});
const folder = allowed.content[0].text.split("\\n")[1];
const [orders, listing, sum] = await Promise.all([
  list_orders({}),
  MCP.files.listDirectory({ path: folder }),
  MCP.everything.getSum({ a: 19, b: 23 }),
]);
const ids = [...new Set(orders.map((order) => order.customer))];
const customers = await Promise.all(ids.map((id) => get_customer({ id })));
const rows = await Promise.all(customers.map(async (customer) => {
  const note = await MCP.files.readTextFile({ path: folder + "/" + customer.file });
  const own = orders.filter((order) => order.customer === customer.id);
  const euros = await Promise.all(own.map((order) => to_euro({ amount: order.amount, currency: order.currency })));
  return { name: customer.name, note: note.content[0].text.trim(), euro: euros.reduce((all, part) => all + part.euro, 0) };
}));
text("files: " + listing.content[0].text.split("\\n").length);
text(sum.content[0].text);
return rows;
`;

export const TYPED = `
interface Total { currency: string; amount: number }
enum Order { Ascending = 1, Descending = -1 }
const totals = new Map<string, number>();
for (const order of await list_orders({})) {
  totals.set(order.currency, (totals.get(order.currency) ?? 0) + order.amount);
}
const rows: Total[] = [...totals].map(([currency, amount]): Total => ({ currency, amount }));
rows.sort((a, b) => (a.amount - b.amount) * Order.Descending);
rows
`;

export const CAUGHT = `
try {
  return await get_customer({ id: "c-404" });
} catch (error) {
  const [tool] = await catalog.search("look up a customer");
  return { caught: error.name + ": " + error.message, tool: tool.callableName };
}
`;

export const OUTLIVES = `
const seen = await get_customer({ id: "c-7" });
const slow = await MCP.everything.triggerLongRunningOperation({ duration: 2, steps: 2 });
const after = await to_euro({ amount: 10, currency: "USD" });
return { name: seen.name, slow: slow.content[0].text, euro: after.euro };
`;

export const SERVER_DIES = `
const work = MCP.doomed.triggerLongRunningOperation({ duration: 20, steps: 20 });
await stop_doomed_server({});
try {
  return await work;
} catch (error) {
  return { caught: error.message, alive: (await MCP.everything.echo({ message: "still here" })).content[0].text };
}
`;
