import type { Node } from 'kubernetes-types/core/v1.d.ts';
import {
  givingBackAnnotation,
  keptEmptyAnnotation,
  leavingAnnotation,
  oldNodeTaintKey,
  rollingAnnotation,
} from '../../../../../shared/nodes/node-keys.ts';
import { rollsOf as rollsOnNode } from '../../../../../shared/roll/node-marks.ts';
import type { Roll } from '../../../../../shared/roll/roll.ts';
import type { Resident } from '../../watch/census.ts';
import { isManagedGroup, residentOf } from '../facts.ts';
import type { Finding, Rule, View } from '../rule.ts';
import { isOldFor, isRollMark, launchedAt, nodeOf, passMilliseconds } from './facts.ts';

const nodesIn = ({ world }: View): readonly Node[] => world.kubernetes.store.of('nodes').list();

/** The rolls that the last pass has called ended, each once. */
const judged = new WeakMap<View['rolls'], Set<string>>();

export const endedRollsAreWhole: Rule = {
  name: 'ended-rolls-are-whole',
  sentence:
    'Once a roll says that it is done or aborted, no Node has a taint or a mark of it, and if it is done, no old instance is left that it may replace.',
  onMoment: (view) => {
    for (const name of view.rolls.names()) {
      const roll = view.rolls.asksSince(name, view.now).at(-1)?.roll;
      const seen = view.rolls.seen(name);
      if (roll === undefined || seen?.startedAt !== roll.startedAt) continue;
      if (seen.state !== 'done' && seen.state !== 'aborted') continue;
      const before = judged.get(view.rolls) ?? new Set();
      if (before.has(`${name} ${seen.startedAt}`)) continue;
      judged.set(view.rolls, before.add(`${name} ${seen.startedAt}`));
      const finding = leftOn(name, view) ?? (seen.state === 'done' ? oldLeft(roll, view) : undefined);
      if (finding) return finding;
    }
    return undefined;
  },
};

function leftOn(name: string, view: View): Finding {
  const node = nodesIn(view).find((one) => rollsOnNode(one).includes(name));
  return node && `${name} has ended, and ${node.metadata?.name} has something of it`;
}

function oldLeft(roll: Roll, view: View): Finding {
  const old = view.census
    .all()
    .find((one) => isManagedGroup(view, one.autoScalingGroupName) && isReplaceable(one, roll, view));
  return old && `${roll.name} is done, and ${old.instanceId} of version ${old.version} is in service`;
}

/** In service with a Node of its own for so long that a pass knows it. */
function isReplaceable(resident: Resident, roll: Roll, view: View): boolean {
  if (resident.lifecycleState !== 'InService' || !isOldFor(roll, resident, view)) return false;
  const joinedAt = Date.parse(nodeOf(resident, view)?.metadata?.creationTimestamp ?? '');
  const since = Math.max(joinedAt, launchedAt(resident, view));
  return since < view.now - passMilliseconds && resident.enteredAt < view.now - passMilliseconds;
}

export const rollsEnd: Rule = {
  name: 'rolls-end',
  sentence: 'Once the faults are over and people have aborted what does not end, each roll has ended.',
  atEnd: ({ rolls, now }) => {
    const open = rolls.names().find((name) => {
      const roll = rolls.asksSince(name, now).at(-1)?.roll;
      const seen = rolls.seen(name);
      if (roll === undefined) return false;
      return seen?.startedAt !== roll.startedAt || (seen.state !== 'done' && seen.state !== 'aborted');
    });
    return open && `${open} is ${rolls.seen(open)?.state}: ${rolls.seen(open)?.reason}`;
  },
};

export const rollsLeaveNothing: Rule = {
  name: 'rolls-leave-nothing',
  sentence:
    'Once all rolls have ended, no Node has a taint, a mark or an annotation of one, and none that stays has its cordon.',
  onAnswer: ({ call }, view) => {
    const resident = isRollMark(call) ? residentOf(view, call) : undefined;
    if (resident && call.kind === 'patch-node') resident.rolledUid = call.node.uid;
    return undefined;
  },
  atEnd: (view) => {
    const left = nodesIn(view).filter(
      ({ metadata: { annotations = {} } = {}, spec }) =>
        annotations[rollingAnnotation] !== undefined ||
        annotations[keptEmptyAnnotation] !== undefined ||
        spec?.taints?.some(({ key }) => key === oldNodeTaintKey),
    );
    if (left.length > 0) return left.map(({ metadata }) => metadata?.name).join(', ');
    const cordoned = view.census.all().find((one) => staysCordoned(one, view));
    return cordoned && `${cordoned.nodeName} of ${cordoned.instanceId} stays cordoned`;
  },
};

function staysCordoned(resident: Resident, view: View): boolean {
  const { lifecycleState, rolledUid, cordonedByHandAt, rollingGarbled } = resident;
  const { metadata, spec } = nodeOf(resident, view) ?? {};
  if (lifecycleState !== 'InService' || rolledUid === undefined || metadata?.uid !== rolledUid) return false;
  // Only the mark said by whom the Node was cordoned (docs/rolling.md).
  if (cordonedByHandAt !== undefined || rollingGarbled || spec?.unschedulable !== true) return false;
  const { annotations = {} } = metadata;
  return annotations[leavingAnnotation] === undefined && annotations[givingBackAnnotation] === undefined;
}
