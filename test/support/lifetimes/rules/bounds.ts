import { parseLeavingMark, readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../../shared/nodes/node-keys.ts';
import { type Resident, settingsOf } from '../watch/census.ts';
import { hasLostClusterTag, residentOf, staleMilliseconds } from './facts.ts';
import type { Rule, View } from './rule.ts';

/** Two may see the same free place at the same time (docs/adr/0004). */
const tolerance = 1;

export const boundOnLeaving: Rule = {
  name: 'bound-on-leaving',
  sentence:
    'At most one more node of a group than its tag allows leaves at once, apart from nodes without time; waits on the hook and leaves on advice are counted separately.',
  onCall: (call, view) => {
    const mark = call.kind === 'patch-node' && call.patch.metadata?.annotations?.[leavingAnnotation];
    // A node that waits for its replacement or its turn has not begun to leave.
    if (!mark || parseLeavingMark(mark)?.awaiting !== undefined) return undefined;
    const resident = residentOf(view, call);
    if (!resident || resident.hurried || isOver(resident) || isMarked(resident, view)) return undefined;
    const name = resident.autoScalingGroupName;
    if (hasLostClusterTag(view, name, resident.leavingSince ?? view.now)) return undefined;
    const leaving = view.census
      .all()
      .filter(
        (one) => one.autoScalingGroupName === name && !one.hurried && !isOver(one) && isMarked(one, view),
      )
      .filter((one) => waits(one) === waits(resident));
    const tags = view.census.tagsSince(name, call.at - staleMilliseconds);
    const most = Math.max(...tags.map((one) => settingsOf(one).maxLeaving));
    if (leaving.length + 1 <= most + tolerance) return undefined;
    return `${resident.instanceId} begins to leave ${name}, where ${leaving.length} are leaving and ${most} may`;
  },
};

/** In Terminating:Wait, which every pass can see. An instance that leaves on advice is on no list before its Node is marked. */
const waits = ({ lifecycleState }: Resident): boolean => lifecycleState === 'Terminating:Wait';

/** Terminated, or about to be: drained, or its wait was ended from outside, as by the removal of the hook. Its Node may be left over. */
const isOver = ({ lifecycleState }: Resident): boolean =>
  lifecycleState === undefined || /^Terminating(?!:Wait)/.test(lifecycleState);

/** Marked, and not only to wait for its replacement or its turn. */
function isMarked({ nodeName }: Resident, { world }: View): boolean {
  const node = world.kubernetes.store.of('nodes').get(undefined, nodeName ?? '');
  const mark = readLeavingMark(node?.metadata.annotations);
  return mark !== undefined && mark.awaiting === undefined;
}

export const boundOnSweep: Rule = {
  name: 'bound-on-sweep',
  sentence: 'A sweep that would delete more than three Nodes, or a tenth of them, deletes none.',
  onCall: (call, { world }) => {
    if (call.kind !== 'send' || call.caller !== 'sweep') return undefined;
    const orphans = call.bodies.filter((body) => body.includes('"instance-gone"')).length;
    const bound = Math.max(3, Math.floor(world.kubernetes.store.of('nodes').size / 10));
    return orphans <= bound ? undefined : `the sweep sends ${orphans} orphans, ${bound} are allowed`;
  },
};

export const destroysOnEvidence: Rule = {
  name: 'destroys-on-evidence',
  sentence: 'A Node is deleted only if its instance leaves, has terminated, or has been unknown for minutes.',
  onCall: (call, view) => {
    const resident = residentOf(view, call);
    if (call.kind !== 'delete-node' || !resident) return undefined;
    if (resident.lifecycleState !== undefined || isLeavingAsKnown(resident, call.at)) return undefined;
    const state = view.world.account.ec2.instances.find(resident.instanceId)?.state;
    if (state === undefined || state === 'terminated' || state === 'shutting-down') return undefined;
    return `node ${call.node.name} is deleted, but ${resident.instanceId} is ${state}, outside of its group`;
  },
};

/** It had a reason to leave, and was detached so short a time ago that Drover may not know. */
const isLeavingAsKnown = ({ leavingSince, leftGroupAt }: Resident, now: number): boolean =>
  leavingSince !== undefined && leftGroupAt !== undefined && now - leftGroupAt <= staleMilliseconds;
