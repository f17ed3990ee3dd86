/** Room for one snapshot. Owned: free it. */
export interface ParkingSpace {
  /** How large the snapshot may be. */
  readonly bytes: number;
  /** Gives back what the snapshot does not need. */
  shrink(bytes: number): void;
  /** Idempotent. */
  free(): void;
}

/**
 * What cells that were parked under pressure may take of this process's memory together. They are in no store and take
 * no suspended slot, so this bounds them instead.
 */
export interface ParkingMemory {
  /** Room for a snapshot of at most `maxBytes`: never more than half of what is left, so that the next park finds room. */
  reserve(maxBytes: number): ParkingSpace;
}

/** `maxTotalBytes` counts what `maxSnapshotBytes` counts, over all cells of one host object. */
export function createParkingMemory(maxTotalBytes: number): ParkingMemory {
  let free = maxTotalBytes;
  return {
    reserve(maxBytes) {
      let bytes = Math.min(maxBytes, Math.floor(free / 2));
      free -= bytes;
      const shrink = (needed: number): void => {
        free += bytes - needed;
        bytes = needed;
      };
      return {
        get bytes() {
          return bytes;
        },
        shrink: (needed) => shrink(Math.min(bytes, needed)),
        free: () => shrink(0),
      };
    },
  };
}
