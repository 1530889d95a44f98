import type { EtcdContext } from '../../../shared/etcd/context.ts';
import { findHostMarks, findZoneMark, type ZoneMark } from '../../../shared/etcd/mark.ts';
import { instanceOfMember, srvServices } from '../../../shared/etcd/names.ts';
import type { EtcdObservation } from '../../../shared/etcd/observe.ts';
import { planPublication, planRecords, type RecordPlan } from '../../../shared/etcd/plan-records.ts';
import { type PublishedMember, publishedMembers } from '../../../shared/etcd/records.ts';
import { type ForeignRecord, type RecordChange, ZoneError } from '../../../shared/etcd/zone.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { type InterruptibleContext, unlessInterrupted } from '../../interruption.ts';
import { etcdContextOf, observeZone } from './access.ts';
import type { ZoneFlags } from './flags.ts';
import { instancesAtStake } from './instances-at-stake.ts';
import {
  refuse,
  refuseElsewhere,
  refuseWhileAlive,
  refuseWhileAtStake,
  refuseWhileWanted,
  refuseWithoutNames,
} from './refusals.ts';

export interface ChangeFlags extends ZoneFlags {
  readonly dryRun?: true;
}

export interface CleanUpFlags extends ChangeFlags {
  /** Instances of the records that are given up. */
  readonly giveUp?: readonly string[];
}

export interface RebirthFlags extends CleanUpFlags {
  readonly clusterId?: string;
  readonly forming?: true;
}

export interface AdoptFlags extends ChangeFlags {
  readonly clusterId?: string;
}

/** The mark of our own domain. */
function ownMark(observation: EtcdObservation, { settings }: EtcdContext): ZoneMark {
  const mark = findZoneMark(observation.zone.records, settings.naming);
  if (mark === undefined)
    return refuse(`no cluster has formed in ${settings.naming.domain}: the zone has no mark`);
  if (mark === 'foreign' || mark.clusterName !== settings.clusterName)
    return refuse(
      `${settings.naming.domain} belongs to ${mark === 'foreign' ? 'another tool' : `cluster ${mark.clusterName}`}, by its mark`,
    );
  return mark;
}

/** Ctrl-C gives up the reads. The change is one batch, whose answer is awaited: without it, it is unknown whether the change was made. */
const observe = (etcd: EtcdContext, context: InterruptibleContext): ReturnType<typeof observeZone> =>
  unlessInterrupted(observeZone(etcd), context, 'nothing was changed');

/** Makes the changes of a plan, and says each. */
async function bring(
  { etcd, plan }: { readonly etcd: EtcdContext; readonly plan: RecordPlan },
  { dryRun }: ChangeFlags,
  context: InterruptibleContext,
): Promise<void> {
  const { changes, conflicts } = plan;
  const [conflict] = conflicts;
  if (conflict)
    refuse(
      `${conflict.type} ${conflict.name} is in the way: ${conflict.why}. Nothing was changed. If Drover made this record and its mark is lost, delete the record in Route 53: Drover publishes it again`,
    );
  for (const change of changes) context.stdout.write(`${line(change)}\n`);
  if (dryRun || changes.length === 0) return;
  try {
    await etcd.zone.change(changes, 'drover etcd, by hand');
  } catch (error) {
    throw error instanceof ZoneError && error.code === 'conflict' ? overtaken(error, etcd) : error;
  }
}

/** Also where Route 53 made the change and its answer was lost: the SDK asks again, and the records differ by then. */
const overtaken = (error: ZoneError, { settings }: EtcdContext): CliError =>
  new CliError(
    `the records of ${settings.naming.domain} were changed meanwhile, by a pass of Drover or another client, so Route 53 refused this change: look at drover etcd status, and run the command again if it is still needed`,
    exitCodes.failed,
    error,
  );

const line = ({ action, record: { type, name } }: RecordChange): string =>
  `${action === 'delete' ? '-' : '+'} ${type} ${name}`;

/** Where the mark was deleted, the records of hosts say that members were published, and not what they formed. */
function birthOf(observation: EtcdObservation, etcd: EtcdContext): ZoneMark['birth'] {
  const { naming } = etcd.settings;
  const { records } = observation.zone;
  const isLost = findZoneMark(records, naming) === undefined && findHostMarks(records, naming).size > 0;
  return isLost ? { kind: 'published' } : ownMark(observation, etcd).birth;
}

/**
 * `drover etcd rebirth`: the operator declares the cluster lost, so that another may be born. Deletes every record of
 * ours. A member that does not answer here may serve elsewhere, so the command refuses while an instance of the cluster exists,
 * unless it is given up by its id; and while any etcd shows a sign of life.
 */
export async function rebirth(flags: RebirthFlags, context: InterruptibleContext): Promise<void> {
  if (flags.dnsOnly) refuse('rebirth must ask the members whether they are alive: omit --dns-only');
  const etcd = etcdContextOf(flags, context);
  const { observation, groups } = await observe(etcd, context);
  const birth = birthOf(observation, etcd);
  if (birth.kind === 'born' && birth.clusterId !== flags.clusterId)
    refuse(`the cluster of this domain is ${birth.clusterId}: give this id with --cluster-id`);
  if (birth.kind !== 'born' && !flags.forming)
    refuse(
      `the cluster has no id yet, its first members are ${birth.kind}: give --forming to declare them lost`,
    );
  refuseWhileAlive(observation);
  const sacrifice = { etcd, birth, giveUp: flags.giveUp ?? [] };
  refuseElsewhere(observation, groups, sacrifice);
  refuseWhileAtStake(observation, sacrifice);
  await bring({ etcd, plan: planRecords(observation.zone, [], etcd.settings) }, flags, context);
  context.stdout.write(
    flags.dryRun ? 'nothing was changed\n' : 'Drover publishes the next first members when all of them run\n',
  );
}

/** @throws CliError if no member with quorum answers this machine, with the reason of each. */
function answeringCluster({ cluster }: EtcdObservation): string {
  if (cluster.kind === 'not-asked')
    return refuse('this deployment does not ask members (DROVER_ETCD_MODE is dns-only): adopt has to');
  return (
    cluster.list?.clusterId ??
    refuse(
      `no member with quorum answers this machine (${cluster.failure}): run adopt where port 2379 of the members can be reached, once they serve`,
    )
  );
}

/**
 * The members that DNS shows, and those of the cluster that answers. Members without their marks must not lose the records by which the
 * others and their clients find them.
 *
 * @throws CliError if the address of a member is unknown.
 */
function membersToPublish(
  observation: EtcdObservation,
  { settings }: EtcdContext,
): readonly PublishedMember[] {
  const shown = publishedMembers(observation, settings).map((one) => ({
    ...one,
    state: 'existing' as const,
  }));
  const inDns = new Set(shown.map(({ instanceId }) => instanceId));
  const list = observation.cluster.kind === 'asked' ? (observation.cluster.list?.members ?? []) : [];
  const unshown = list
    .flatMap((member) => instanceOfMember(member, settings.naming) ?? [])
    .filter((instanceId) => !inDns.has(instanceId))
    .map((instanceId) => ({
      instanceId,
      addresses: observation.instances.find((one) => one.instanceId === instanceId)?.addresses ?? [],
      state: 'existing' as const,
    }));
  const [lost] = unshown.filter(({ addresses }) => addresses.length === 0);
  if (lost)
    refuse(
      `the address of member ${lost.instanceId} is unknown, because its records have no mark and it is in no etcd group: nothing was changed`,
    );
  return [...shown, ...unshown];
}

/** `drover etcd adopt`: declares which cluster answers here: a restored one, or one that was formed without Drover. */
export async function adopt(
  groups: readonly string[],
  flags: AdoptFlags,
  context: InterruptibleContext,
): Promise<void> {
  const { clusterId } = flags;
  if (clusterId === undefined || groups.length > 0)
    throw new CliError(
      'give --cluster-id, with which all etcd groups of the cluster are adopted; or --plan, and the groups if they have no tags yet',
      exitCodes.usage,
    );
  if (flags.dnsOnly) refuse('adopt must ask the members which cluster they form: omit --dns-only');
  const etcd = etcdContextOf(flags, context);
  const { observation } = await observe(etcd, context);
  const known = answeringCluster(observation);
  if (known !== clusterId) refuse(`the cluster that answers is ${known}, not ${clusterId}`);
  refuseWithoutNames(observation, etcd);
  const { plan } = planPublication(observation, {
    ...etcd.settings,
    birth: { kind: 'born', clusterId },
    members: membersToPublish(observation, etcd),
  });
  await bring({ etcd, plan }, flags, context);
  context.stdout.write(
    flags.dryRun ? 'nothing was changed\n' : `cluster ${clusterId} is now the cluster of this domain\n`,
  );
}

/** `drover etcd cleanup`: takes every record of ours away once there is no instance left that could read them. */
export async function cleanUp(flags: CleanUpFlags, context: InterruptibleContext): Promise<void> {
  const etcd = etcdContextOf(flags, context);
  const { observation, groups } = await observe(etcd, context);
  const { instances } = observation;
  const running = instances.filter(({ runs }) => runs).map(({ instanceId }) => instanceId);
  const existing = new Set([...running, ...instancesAtStake(observation, etcd.settings)]);
  if (existing.size > 0) refuse(`${[...existing].join(', ')} still exist and need their records`);
  refuseWhileWanted(groups);
  refuseElsewhere(observation, groups, { etcd, giveUp: flags.giveUp ?? [] });
  const { naming } = etcd.settings;
  if (findZoneMark(observation.zone.records, naming) !== undefined) ownMark(observation, etcd);
  const plan = planRecords(observation.zone, [], etcd.settings);
  await bring({ etcd, plan }, flags, context);
  const { changes, foreign } = plan;
  if (changes.length === 0) context.stdout.write(`Drover has no record in ${naming.domain}\n`);
  const names = new Set([naming.domain, ...srvServices(naming).map(({ name }) => name)]);
  const left = foreign.filter(({ name, type }) => names.has(name) && !['NS', 'SOA'].includes(type));
  if (left.length > 0)
    context.stdout.write(`left alone, because no mark says whose they are: ${left.map(textOf).join(', ')}\n`);
}

const textOf = ({ type, name }: ForeignRecord): string => `${type} ${name}`;
