import { hasBegun, placesOf, queueOf, type Turn, type TurnInput } from './places.ts';

/**
 * Whose turn it is among those that wait, the one that asks being one of them: decided by everyone alike from what everyone
 * sees, so that no counter is shared. Places are given in the order of instance ids to those that wait and have not begun;
 * those that have begun keep theirs.
 */
export function turnOf(input: TurnInput): Turn {
  if (hasBegun(input)) return { mayLeave: true };
  const places = placesOf(input);
  let ahead = 0;
  for (const leaver of queueOf(input)) {
    const place = places.take(leaver);
    if (leaver.instanceId === input.instanceId)
      return place ? { mayLeave: true } : { mayLeave: false, ahead };
    if (!place) ahead += 1;
  }
  return { mayLeave: true };
}
