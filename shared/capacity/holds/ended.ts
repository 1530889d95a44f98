import type { HoldReading } from './hold.ts';

/** A hold is kept so long after its end: one that was extended just before must not be deleted. */
const keptAfterEndSeconds = 120;

/** The names of the holds whose parameters can be deleted. */
export const endedNames = (holds: readonly HoldReading[], now: number): readonly string[] =>
  holds.flatMap((reading) =>
    reading.kind === 'hold' && reading.hold.until + keptAfterEndSeconds * 1000 <= now
      ? [reading.hold.name]
      : [],
  );
