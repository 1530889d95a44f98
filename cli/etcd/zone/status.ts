import type { EtcdMember } from '../../../shared/etcd/cluster.ts';
import type { EtcdDecision, EtcdSettings } from '../../../shared/etcd/decision.ts';
import { findHostMarks, findZoneMark } from '../../../shared/etcd/mark.ts';
import { instanceOfMember } from '../../../shared/etcd/names.ts';
import type { EtcdObservation } from '../../../shared/etcd/observe.ts';
import type { CliContext } from '../../context.ts';
import { counted } from '../../counted.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import type { ListingFlags } from '../../listing/flags.ts';
import { printListing } from '../../listing/print.ts';
import { oneLine } from '../../plain-text.ts';
import { named, sentence, type TableView } from '../../table/column.ts';
import { tableText } from '../../table/table.ts';
import { etcdContextOf, howToAsk, observeZone } from './access.ts';
import type { ZoneFlags } from './flags.ts';

export type StatusFlags = ZoneFlags & ListingFlags;

/** One line of the status: an instance, a member, or both. */
interface Row {
  readonly instanceId: string;
  readonly group: string;
  readonly phase: string;
  readonly addresses: readonly string[];
  readonly memberId: string;
  readonly role: 'voter' | 'learner' | '-';
  readonly health: string;
  readonly inDns: 'new' | 'existing' | '-';
  readonly waits: string;
}

export interface EtcdStatus {
  readonly domain: string;
  /** `unborn`, `forming`, `published`, or the id of the cluster that was born. */
  readonly birth: string;
  readonly members: readonly Row[];
  readonly problems: readonly string[];
}

/** `drover etcd status`: instances, members and records side by side. Exit 1 if there are problems. */
export async function showEtcdStatus(flags: StatusFlags, context: CliContext): Promise<void> {
  const etcd = etcdContextOf(flags, context);
  const { observation, decision } = await observeZone(etcd);
  const status = statusOf(observation, decision, etcd.settings);
  const listing = {
    data: status,
    names: status.members.map(({ instanceId }) => instanceId),
    text: (view: TableView) => `${statusText(status, view)}${notAskedText(observation, flags)}`,
  };
  await printListing(listing, flags, context);
  if (status.problems.length > 0)
    throw new CliError(counted(status.problems.length, 'problem found', 'problems found'), exitCodes.failed);
}

function statusOf(observation: EtcdObservation, decision: EtcdDecision, settings: EtcdSettings): EtcdStatus {
  const list = observation.cluster.kind === 'asked' ? (observation.cluster.list?.members ?? []) : [];
  const memberOf = new Map(list.map((member) => [instanceIdOf(member, settings), member]));
  const hosts = findHostMarks(observation.zone.records, settings.naming);
  const ids = new Set([
    ...observation.instances.map(({ instanceId }) => instanceId),
    ...memberOf.keys(),
    ...hosts.keys(),
  ]);
  return {
    domain: settings.naming.domain,
    birth: birthOf(observation, settings),
    members: [...ids].sort().map((instanceId) => {
      const member = memberOf.get(instanceId);
      const instance = observation.instances.find((one) => one.instanceId === instanceId);
      return {
        instanceId,
        group: instance?.autoScalingGroupName ?? '-',
        phase: instance?.phase ?? observation.others.get(instanceId) ?? '-',
        addresses: instance?.addresses ?? [],
        memberId: member?.id ?? '-',
        role: member ? (member.isLearner ? 'learner' : 'voter') : '-',
        health: healthOf(observation, instanceId),
        inDns: hosts.get(instanceId)?.state ?? '-',
        waits: decision.held.find((held) => held.instanceId === instanceId)?.why ?? '',
      };
    }),
    problems: decision.problems,
  };
}

/** A member that is not ours is known by its name. */
const instanceIdOf = (member: EtcdMember, { naming }: EtcdSettings): string =>
  instanceOfMember(member, naming) || member.name || member.id;

function birthOf({ zone }: EtcdObservation, { naming }: EtcdSettings): string {
  const mark = findZoneMark(zone.records, naming);
  if (mark === undefined) return 'unborn';
  if (mark === 'foreign') return 'marked by another tool';
  return mark.birth.kind === 'born' ? mark.birth.clusterId : mark.birth.kind;
}

function healthOf({ cluster }: EtcdObservation, instanceId: string): string {
  const status = cluster.kind === 'asked' ? cluster.statuses.get(instanceId) : undefined;
  if (!status) return 'not asked';
  if (status.kind === 'silent') return status.why;
  return `${status.healthy ? 'healthy' : 'unhealthy'} ${status.version}`;
}

/** Why no member was asked, and how to ask them; empty if they were. */
const notAskedText = ({ cluster }: EtcdObservation, flags: StatusFlags): string =>
  cluster.kind === 'asked' ? '' : `members were not asked: ${howToAsk(flags)}\n`;

const head = [
  'INSTANCE',
  named('GROUP', { leftOut: 4 }),
  { head: 'PHASE', leftOut: 2 },
  { head: 'ADDRESS', leftOut: 3 },
  { head: 'MEMBER', leftOut: 5 },
  'ROLE',
  { head: 'HEALTH', least: 12, cutAt: 'end' as const },
  { head: 'DNS', leftOut: 1 },
  sentence('WAITS FOR'),
];

function statusText({ domain, birth, members, problems }: EtcdStatus, view: TableView): string {
  const rows = members.map((row) => [
    row.instanceId,
    row.group,
    row.phase,
    row.addresses.join(' ') || '-',
    row.memberId,
    row.role,
    row.health,
    row.inDns,
    row.waits,
  ]);
  const table = rows.length > 0 ? tableText(head, rows, view) : 'no instances, members or records\n';
  return `${domain}: ${birth}\n${table}${problems.map((problem) => `! ${oneLine(problem)}\n`).join('')}`;
}
