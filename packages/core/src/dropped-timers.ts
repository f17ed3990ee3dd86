/** Timers of one call that were dropped, for its one warning. */
export interface DroppedTimers {
  count: number;
  /** Delays of the first five, in ms. */
  readonly delays: number[];
}
