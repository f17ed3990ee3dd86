/** Whether every output is there and no input is newer than the last finished build. */
export function isBuilt(root: string): boolean;
export function markBuilt(root: string): void;
