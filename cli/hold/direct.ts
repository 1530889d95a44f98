import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { readGroups } from '../../shared/aws/auto-scaling.ts';
import { autoScalingClient } from '../../shared/aws/clients.ts';
import { lazily } from '../../shared/base/lazily.ts';
import type { Groups } from '../../shared/capacity/groups.ts';
import {
  createHold,
  endHold,
  extendHold,
  findHold,
  type HoldStore,
  planExtension,
  planHold,
} from '../../shared/capacity/holds/change-holds.ts';
import { type HoldRefusal, refuseEnd, refuseHold } from '../../shared/capacity/holds/check-hold.ts';
import type { HoldContext } from '../../shared/capacity/holds/context.ts';
import type { FloorReading } from '../../shared/capacity/holds/floor-record.ts';
import { type Hold, type HoldReading, scheduleOf } from '../../shared/capacity/holds/hold.ts';
import { type HoldState, holdStateOf } from '../../shared/capacity/holds/hold-state.ts';
import { holdsIn, holdsOfGroup, recordsIn } from '../../shared/capacity/holds/parameters.ts';
import { isForPods, podsIn } from '../../shared/capacity/holds/pod-floor.ts';
import { podsFoundOf } from '../../shared/capacity/holds/pods-found.ts';
import { type ObservedNodes, observeNodes } from '../../shared/capacity/observed-nodes.ts';
import type { PodsRecord } from '../../shared/capacity/pod-holds/pods-reading.ts';
import { type AutoScalingGroup, isManaged } from '../../shared/groups/group.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { holdContext } from '../../shared/runtime/hold-context.ts';
import type { AccessFlags } from '../access/flags.ts';
import { managedGroup, managedGroups } from '../auto-scaling/groups.ts';
import { callerOf } from '../caller/caller.ts';
import { clusterOf } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import type { EndOptions, HoldPlace, Holds, ListedHold, RequestedHold } from './holds.ts';
import { timeOf } from './until.ts';

interface HoldAccess extends HoldContext {
  readonly groups: Groups;
  readonly client: AutoScalingClient;
}

/**
 * The holds of the cluster, with this machine's AWS credentials.
 *
 * @throws ConfigError with all that is wrong with the flags and the environment; nothing is requested yet.
 */
export function directHolds(flags: AccessFlags, context: CliContext): Holds {
  const host = hostOf(context, environmentOf(flags, context));
  const { clusterName } = readConfig(host.environment, ['region', 'clusterName']);
  const access: HoldAccess = {
    ...holdContext(host, { clusterName, maxSizeLimit: Infinity }),
    client: autoScalingClient(awsConnection(host)),
  };
  const { clock } = context;
  const store = (): HoldStore => ({ ...access, now: clock.now() });
  const maker = lazily(() => callerOf(flags, context, 'the hold'));
  return {
    list: (group) => listHolds(access, { group, flags, context }),
    stateOf: async (place) => {
      const [found, group, nodes] = await Promise.all([
        findHold(store(), place),
        access.groups.describeGroup(place.autoScalingGroupName),
        nodesOf(flags, context),
      ]);
      if (found.kind === 'hold') {
        const pods = podsIn((await recordsFor(access, [found])).get(place.autoScalingGroupName));
        return await stateOfHold(found.hold, { group, nodes, pods, now: clock.now() }, access);
      }
      return found.kind === 'missing'
        ? { state: 'over', reason: 'it has ended' }
        : { state: 'unknown', reason: 'its parameter cannot be read' };
    },
    read: async () => holdsIn(await access.parameters.listBelow(access.paths.holds), access.paths),
    create: async (requested, { dryRun, replace }) => {
      const group = await managedGroup(access, requested.autoScalingGroupName);
      const hold = holdOf(requested, { by: await maker(), now: clock.now() });
      throwIfRefused(
        refuseHold(group, hold, { now: clock.now() }),
        `no hold for ${hold.autoScalingGroupName}: `,
      );
      const wanted = { hold, ...requested.end, mayReplace: replace };
      return await (dryRun ? planHold : createHold)(store(), wanted);
    },
    extend: async (place, end, { dryRun }) => {
      const now = clock.now();
      const until = timeOf(end, now);
      throwIfRefused(refuseEnd(until, now));
      return await (dryRun ? planExtension : extendHold)(store(), place, until);
    },
    end: async (place, options) => await endOrPlan(store(), place, options),
  };
}

async function endOrPlan(store: HoldStore, place: HoldPlace, { dryRun, ofSet }: EndOptions) {
  const found = await findHold(store, place);
  const { kind } =
    dryRun && found.kind !== 'missing' ? { kind: 'ended' as const } : await endHold(store, place, { ofSet });
  return { kind, schedule: found.kind === 'hold' ? scheduleOf(found.hold) : undefined };
}

const holdOf = (
  { end, ...requested }: RequestedHold,
  { by, now }: { readonly by: string; readonly now: number },
): Hold => ({ ...requested, until: timeOf(end, now), createdAt: now, by });

/** @throws CliError */
function throwIfRefused(refusal: HoldRefusal | undefined, before = ''): void {
  if (refusal) throw new CliError(`${before}${refusal.reason}`, exitCodes.failed);
}

async function listHolds(
  access: HoldAccess,
  {
    group,
    flags,
    context,
  }: { readonly group: string | undefined; readonly flags: AccessFlags; readonly context: CliContext },
): Promise<readonly ListedHold[]> {
  const { parameters, paths, clusterName, client, clock } = access;
  const below = group === undefined ? paths.holds : holdsOfGroup(paths, group);
  const readings = holdsIn(await parameters.listBelow(below), paths);
  if (readings.length === 0) {
    // Fails for a mistyped group, cluster or region, which has no holds either.
    await managedGroups(access, group);
    return [];
  }
  const [groups, nodes, records] = await Promise.all([
    readGroups(client, clusterName),
    nodesOf(flags, context),
    recordsFor(access, readings),
  ]);
  const byName = new Map(
    groups.filter((one) => isManaged(one, clusterName)).map((one) => [one.autoScalingGroupName, one]),
  );
  const now = clock.now();
  return await Promise.all(
    readings.map(async (reading): Promise<ListedHold> => {
      if (reading.kind === 'unreadable') {
        const { autoScalingGroupName, name, why } = reading;
        return { state: 'unreadable', autoScalingGroupName, name, reason: why };
      }
      const pods = podsIn(records.get(reading.hold.autoScalingGroupName));
      const hold = isForPods(reading.hold) ? { ...reading.hold, nodes: pods?.nodes ?? 0 } : reading.hold;
      const facts = { group: byName.get(hold.autoScalingGroupName), nodes, pods, now };
      return { hold, found: podsFoundOf(hold, pods), ...(await stateOfHold(hold, facts, access)) };
    }),
  );
}

/** The records of floors. Only a hold for pods needs them: its state is what prewarm found. */
async function recordsFor(
  { parameters, paths }: HoldAccess,
  readings: readonly HoldReading[],
): Promise<ReadonlyMap<string, FloorReading>> {
  const isForAnyPods = readings.some((one) => one.kind === 'hold' && isForPods(one.hold));
  return isForAnyPods ? recordsIn(await parameters.listBelow(paths.floors), paths) : new Map();
}

/** The Nodes, or the reason why they are unknown: no kubeconfig, or no response of the API server. */
async function nodesOf(flags: ClusterFlags, context: CliContext): Promise<ObservedNodes> {
  const nodes = await observeNodes(clusterOf(flags, context), () => undefined);
  return nodes.status === 'seen'
    ? nodes
    : {
        ...nodes,
        reason: 'whether the nodes are Ready is unknown: no kubeconfig, or no answer of the API server',
      };
}

/** The state of a hold. The reason of a waiting hold includes the error of the newest launch. */
async function stateOfHold(
  hold: Hold,
  facts: {
    readonly group: AutoScalingGroup | undefined;
    readonly nodes: ObservedNodes;
    readonly pods: PodsRecord | undefined;
    readonly now: number;
  },
  { groups }: { readonly groups: Groups },
): Promise<HoldState> {
  const state = holdStateOf(hold, facts);
  if (state.state !== 'waiting' || !facts.group) return state;
  const failedLaunch = await groups.readFailedLaunch(hold.autoScalingGroupName);
  return holdStateOf(hold, { ...facts, failedLaunch });
}
