import type { Spell } from '../plan/spells.ts';
import { isManagedGroup, time } from './facts.ts';
import type { Rule } from './rule.ts';

/** Passes are made this often while nothing strikes, and a heartbeat is due at a third of the timeout. */
const killedMilliseconds = 400_000;

export const waitsAreKept: Rule = {
  name: 'waits-are-kept',
  sentence:
    'No wait on Drover’s hook times out, whatever happens to the API server: it ends because Drover completes it or EC2 takes the instance.',
  onMoment: (view) => {
    for (const resident of view.census.all()) {
      const { waitEndedAt, waitingSince = 0, instanceId, autoScalingGroupName } = resident;
      if (waitEndedAt !== view.now || !isManagedGroup(view, autoScalingGroupName)) continue;
      if (resident.completedAt !== undefined || excused(resident.instanceId, waitingSince, view)) continue;
      return `the wait of ${instanceId} since ${time(waitingSince)} has run out`;
    }
    return undefined;
  },
};

function excused(
  instanceId: string,
  since: number,
  view: Parameters<NonNullable<Rule['onMoment']>>[0],
): boolean {
  const { world, census, plan } = view;
  const resident = census.find(instanceId);
  const group = plan.groups.find((one) => one.autoScalingGroupName === resident?.autoScalingGroupName);
  if (group?.heartbeatTimeoutSeconds === undefined) return true;
  if (world.account.ec2.instances.find(instanceId)?.state !== 'running') return true;
  if (view.now - since >= 100 * group.heartbeatTimeoutSeconds * 1000 - 60_000) return true;
  if (view.lastKilledAt !== undefined && view.lastKilledAt > since - killedMilliseconds) return true;
  return view.spellsSince(since - killedMilliseconds).some(({ kind }) => excuses.includes(kind));
}

const excuses: readonly Spell['kind'][] = ['aws-throttles', 'calls-break', 'events-disturbed', 'killed'];
