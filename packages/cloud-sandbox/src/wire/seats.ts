/** The member that answers at each port; undefined: none. */
export type Seats = readonly (string | undefined)[];

/** A serving member keeps its port. A new member takes the first free one, or none if none is left. */
export function seat(seats: Seats, serving: readonly string[]): Seats {
  const kept = seats.map((instanceId) =>
    instanceId !== undefined && serving.includes(instanceId) ? instanceId : undefined,
  );
  const newcomers = serving.filter((instanceId) => !kept.includes(instanceId));
  return kept.map((instanceId) => instanceId ?? newcomers.shift());
}
