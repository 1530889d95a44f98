/** The member that answers at each port; undefined for a free port. */
export type Slots = readonly (string | undefined)[];

/** Assigns ports to the serving members. A member keeps its port. A new member takes the first free port, or none if none is left. */
export function assignSlots(slots: Slots, serving: readonly string[]): Slots {
  const kept = slots.map((instanceId) =>
    instanceId !== undefined && serving.includes(instanceId) ? instanceId : undefined,
  );
  const newcomers = serving.filter((instanceId) => !kept.includes(instanceId));
  return kept.map((instanceId) => instanceId ?? newcomers.shift());
}
