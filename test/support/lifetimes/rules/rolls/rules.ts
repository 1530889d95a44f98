import type { Rule } from '../rule.ts';
import {
  refreshesComeFirst,
  rollsDoAsAsked,
  rollsReplaceByWhatWasAsked,
  rollsWriteNoSize,
  stoppedRollsStay,
} from './asked.ts';
import { canaryFirst, oneControlPlane, rollsKeepTheirBounds } from './bounds.ts';
import { endedRollsAreWhole, rollsEnd, rollsLeaveNothing } from './endings.ts';
import { alarmsStopRolls, rollsKeepTheirWindows } from './limits.ts';
import { replacementsServeFirst } from './replacements.ts';
import {
  oldNodesAreTainted,
  rollsDrain,
  rollsMarkFirst,
  rollsReplaceOld,
  rollsStayInTheirCluster,
} from './who-goes.ts';

/** What holds for rolls. */
export const rollRules: readonly Rule[] = [
  rollsReplaceOld,
  rollsMarkFirst,
  oldNodesAreTainted,
  rollsDrain,
  rollsStayInTheirCluster,
  rollsKeepTheirBounds,
  oneControlPlane,
  canaryFirst,
  rollsDoAsAsked,
  stoppedRollsStay,
  rollsReplaceByWhatWasAsked,
  rollsWriteNoSize,
  refreshesComeFirst,
  rollsKeepTheirWindows,
  alarmsStopRolls,
  replacementsServeFirst,
  endedRollsAreWhole,
  rollsEnd,
  rollsLeaveNothing,
];
