/** Which member answers at which port; undefined: nobody. */
export type Seats = readonly (string | undefined)[];

/** Who still serves keeps the seat; who has come takes the first that is free; for whom none is left, there is none. */
export function seat(seats: Seats, serving: readonly string[]): Seats {
  const kept = seats.map((instanceId) =>
    instanceId !== undefined && serving.includes(instanceId) ? instanceId : undefined,
  );
  const newcomers = serving.filter((instanceId) => !kept.includes(instanceId));
  return kept.map((instanceId) => instanceId ?? newcomers.shift());
}
