import type { BridgeMethod } from "@codemode/protocol";

/** Everything a guest may ask for. A request with any other method is refused. */
export const BRIDGE_METHODS: readonly BridgeMethod[] = ["call", "search", "describe", "timer", "yield"];
