export type { SupervisorOptions } from "./options.js";
export { createSupervisor, type Supervisor, type SupervisorStats } from "./supervisor.js";
