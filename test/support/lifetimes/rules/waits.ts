import { readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { pauseOf } from '../../../../shared/passes/pause.ts';
import { isOfAws, type Spell } from '../plan/spells.ts';
import type { Resident } from '../watch/census.ts';
import {
  hasLostClusterTag,
  hasLostTags,
  heartbeatTimeouts,
  isManagedGroup,
  staleMilliseconds,
  time,
} from './facts.ts';
import type { Rule, View } from './rule.ts';

/** Passes run this often if there are no faults, and a heartbeat is due at a third of the timeout. */
export const killedMilliseconds = 400_000;

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

/** Intake and the sweep leave a group without a role alone, and know for minutes only what they have read. */
function lackedRoleAtFirst({ census }: View, name: string, since: number): boolean {
  const later = census.tagsSince(name, since + noticedMilliseconds);
  const all = census.tagsSince(name, since - killedMilliseconds);
  return all.slice(0, all.length - later.length + 1).some((tags) => tags['drover.dev/role'] === undefined);
}
const noticedMilliseconds = 20_000;

function excused(instanceId: string, since: number, view: View): boolean {
  const { world, census } = view;
  const { autoScalingGroupName = '' } = census.find(instanceId) ?? {};
  const timeouts = heartbeatTimeouts(view, autoScalingGroupName);
  if (hasLostClusterTag(view, autoScalingGroupName, since)) return true;
  // A wait is noticed only in a group with a role, and is kept if the role is lost later.
  if (lackedRoleAtFirst(view, autoScalingGroupName, since)) return true;
  if (timeouts.length === 0 || isHookChangedByHand(view, autoScalingGroupName)) return true;
  if (isHookChangedBeforeWait(view, { autoScalingGroupName, since })) return true;
  if (isHookChangedBeforeMark(view, { instanceId, since })) return true;
  if (isHookChangedOfEditedMark(view, { instanceId, since })) return true;
  if (isHookChangedWhileMarkUnread(view, { autoScalingGroupName, since })) return true;
  if (world.account.ec2.instances.find(instanceId)?.state !== 'running') return true;
  if (view.now - since >= 100 * Math.min(...timeouts) * 1000 - 60_000) return true;
  if (view.lastKilledAt !== undefined && view.lastKilledAt > since - killedMilliseconds) return true;
  return view.spellsSince(since - killedMilliseconds).some(keepsHeartbeats);
}

/** A pass is made every twenty seconds, and goes on for as long as its calls take. */
const restoredMilliseconds = 45_000;

export const cordonsAreRestored: Rule = {
  name: 'cordons-are-restored',
  sentence:
    'A Node with a mark of Drover that something uncordons is cordoned again within seconds, while its instance waits.',
  onMoment: (view) => {
    for (const resident of view.census.all()) {
      const { uncordonedAt, nodeName = '', lifecycleState } = resident;
      if (uncordonedAt === undefined) continue;
      const node = view.world.kubernetes.store.of('nodes').get(undefined, nodeName);
      if (node?.spec?.unschedulable || readLeavingMark(node?.metadata.annotations) === undefined) {
        resident.uncordonedAt = undefined;
        continue;
      }
      if (lifecycleState !== 'Terminating:Wait' || view.now - uncordonedAt < restoredMilliseconds) continue;
      if (isRestoringHeld(resident, uncordonedAt, view)) continue;
      return `node ${nodeName} is marked, and open since ${time(uncordonedAt)}`;
    }
    return undefined;
  },
};

function isRestoringHeld({ autoScalingGroupName, instanceId }: Resident, since: number, view: View): boolean {
  const { lastKilledAt, census, world } = view;
  if (world.account.ec2.instances.find(instanceId)?.state !== 'running') return true;
  if (lastKilledAt !== undefined && lastKilledAt > since - killedMilliseconds) return true;
  if (hasLostTags(view, autoScalingGroupName, since)) return true;
  const tags = census.tagsSince(autoScalingGroupName, since - staleMilliseconds);
  return (
    tags.some((one) => pauseOf(one) !== undefined) || view.spellsSince(since - killedMilliseconds).length > 0
  );
}

const excuses: readonly Spell['kind'][] = ['calls-break', 'events-disturbed', 'killed', 'pollers-break'];

/** Faults that keep messages from Drover, or heartbeats from Auto Scaling. Faults of the API server do not excuse a missed heartbeat. */
export const keepsHeartbeats = (spell: Spell): boolean => excuses.includes(spell.kind) || isOfAws(spell);

/** A removed hook ends its waits. A timeout that was lowered is known to Drover when it has read the hooks again. */
const isHookChangedByHand = ({ census, now }: View, name: string): boolean =>
  census
    .hookChanges(name)
    .some(
      ({ at, heartbeatTimeoutSeconds }) =>
        heartbeatTimeoutSeconds === undefined || now - at < relearnedMilliseconds,
    );

/** The mark remembers the timeout from before a change. Without a mark, an environment that reads the hooks later knows only the new timeout. */
function isHookChangedBeforeMark(
  { census, world }: View,
  { instanceId, since }: { readonly instanceId: string; readonly since: number },
): boolean {
  const { autoScalingGroupName = '', nodeName } = census.find(instanceId) ?? {};
  const node =
    nodeName === undefined ? undefined : world.kubernetes.store.of('nodes').get(undefined, nodeName);
  const mark = readLeavingMark(node?.metadata?.annotations);
  const markedAt = mark ? Date.parse(mark.since) : Infinity;
  return census.hookChanges(autoScalingGroupName).some(({ at }) => at >= since && at < markedAt);
}

/** Nor is the timeout from before a change known if something edits the mark that remembers it. */
const isHookChangedOfEditedMark = (
  { census }: View,
  { instanceId, since }: { readonly instanceId: string; readonly since: number },
): boolean => {
  const { autoScalingGroupName = '', markEditedAt } = census.find(instanceId) ?? {};
  return markEditedAt !== undefined && census.hookChanges(autoScalingGroupName).some(({ at }) => at >= since);
};

/** Nor can one read the mark while the API server fails. */
const isHookChangedWhileMarkUnread = (
  view: View,
  { autoScalingGroupName, since }: { readonly autoScalingGroupName: string; readonly since: number },
): boolean =>
  view.census.hookChanges(autoScalingGroupName).some(({ at }) => at >= since) &&
  view.spellsSince(view.now - killedMilliseconds).some((spell) => !isOfAws(spell));

/** Hooks are kept for a minute, and read by the next pass. */
const relearnedMilliseconds = 120_000;

/** Intake dates the first heartbeat by the hooks that it keeps for a minute. */
const isHookChangedBeforeWait = (
  { census }: View,
  { autoScalingGroupName, since }: { readonly autoScalingGroupName: string; readonly since: number },
): boolean =>
  census.hookChanges(autoScalingGroupName).some(({ at }) => at <= since && since - at < keptMilliseconds);
const keptMilliseconds = 60_000;
