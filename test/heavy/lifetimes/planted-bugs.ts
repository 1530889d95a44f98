import type { PlantedBug } from './planted-bug.ts';
import { plantedCapacity } from './planted-capacity.ts';
import { plantedLeaving } from './planted-leaving.ts';
import { plantedNotifications } from './planted-notifications.ts';
import { plantedRolls } from './planted-rolls.ts';

/** Bugs, each of them a few lines away from what is deployed. */
export const plantedBugs: readonly PlantedBug[] = [
  ...plantedLeaving,
  ...plantedCapacity,
  ...plantedNotifications,
  ...plantedRolls,
];
