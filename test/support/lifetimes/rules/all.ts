import { boundOnLeaving, boundOnSweep, destroysOnEvidence } from './bounds.ts';
import {
  basesComeBack,
  boundsLoweredOnRecord,
  floorsAreKept,
  foreignBoundsKept,
  lossesAreSaid,
} from './capacity.ts';
import { certificatesForRunning } from './certificates.ts';
import { cancelledDrainsEnd, emptyNodesAreReleased } from './drain-ends.ts';
import { drainsEndByDeadline, othersAreAsked, returnedPodsAreLetBe } from './drains.ts';
import { noLeftoverMarks, noOrphanedNodes, noWaitIsLeft, queuesEmpty } from './endings.ts';
import { givingBackRules } from './giving-back/rules.ts';
import { drainedBeforeRelease, noOrphanHeartbeats, ownHookOnly } from './hooks.ts';
import { joinsAreKept, joinsEndInTime, joinsOnEvidence } from './joins.ts';
import { messagesAreKept } from './kept-messages.ts';
import { forcedIsNotified, goneIsNotified, leavingIsNotified } from './notifications.ts';
import {
  foreignLeftAlone,
  handsBackOnlyNoticed,
  noSecrets,
  pauseMeansNothingElse,
  stayingNodesKept,
  takenNodesKept,
} from './ownership.ts';
import {
  budgetUntilDeadline,
  daemonPodsAlone,
  forcedPodsSayWhy,
  graceThatFits,
  neverGraceZero,
  onlyLeavingPods,
  uidPrecondition,
} from './pods.ts';
import { rollRules } from './rolls/rules.ts';
import type { Rule } from './rule.ts';
import { unknownNodesKept } from './unknown.ts';
import { cordonsAreRestored, waitsAreKept } from './waits.ts';

/** Everything that must always hold, by the occasion at which it is asked. */
export const rules: readonly Rule[] = [
  uidPrecondition,
  neverGraceZero,
  forcedPodsSayWhy,
  budgetUntilDeadline,
  graceThatFits,
  onlyLeavingPods,
  daemonPodsAlone,
  ownHookOnly,
  drainedBeforeRelease,
  noOrphanHeartbeats,
  foreignLeftAlone,
  stayingNodesKept,
  takenNodesKept,
  unknownNodesKept,
  handsBackOnlyNoticed,
  pauseMeansNothingElse,
  noSecrets,
  boundOnLeaving,
  boundOnSweep,
  destroysOnEvidence,
  returnedPodsAreLetBe,
  drainsEndByDeadline,
  emptyNodesAreReleased,
  cancelledDrainsEnd,
  othersAreAsked,
  messagesAreKept,
  waitsAreKept,
  cordonsAreRestored,
  joinsAreKept,
  joinsEndInTime,
  joinsOnEvidence,
  certificatesForRunning,
  floorsAreKept,
  boundsLoweredOnRecord,
  lossesAreSaid,
  foreignBoundsKept,
  ...givingBackRules,
  ...rollRules,
  leavingIsNotified,
  forcedIsNotified,
  goneIsNotified,
  noWaitIsLeft,
  basesComeBack,
  noOrphanedNodes,
  noLeftoverMarks,
  queuesEmpty,
];
