import type { CredentialView, DashboardState, EtcdStatusView, UnknownView } from '../../../ui/state/types.ts';
import { oldSince, type Part, seenAtOf, valueOf } from '../../observation/part.ts';
import { unknownParts } from '../look/unknown-parts.ts';
import { groupViews } from './groups.ts';
import type { ApiReading } from './read.ts';
import { apiRollView } from './rolls.ts';

/** The page of a real account from the responses of the scale API, which leave out some parts. Pure. */
export function apiState(reading: ApiReading): DashboardState {
  const status = valueOf(reading.status);
  const etcdStatus = status && etcdStatusOf(status.etcd);
  const rolls = valueOf(reading.rolls);
  const readAt = oldSince([reading.groups, reading.instances]);
  return {
    now: reading.at,
    ...(readAt !== undefined && { readAt }),
    source: 'account',
    ...(status && { clusterName: status.clusterName }),
    groups: groupViews(reading),
    ...(rolls && { rolls: rolls.map(apiRollView) }),
    problems: [...(status?.problems ?? [])],
    unknown: unknownOf(reading),
    ...(status?.notLookedAt && { notLookedAt: status.notLookedAt }),
    otherNodes: [],
    budgets: [],
    scheduleProblems: valueOf(reading.schedules)?.problems ?? [],
    ...(etcdStatus && { etcdStatus }),
    ...(status && {
      credentials: status.credentials
        .flatMap(credentialView)
        .map((one) => ({ ...one, ...seenAtOf(reading.status) })),
    }),
    news: [],
  };
}

type Status = Extract<ApiReading['status'], { kind: 'known' }>['value'];

/** Its problem is in `problems` already, with its group. */
function etcdStatusOf({ state, reason, members }: Status['etcd']): EtcdStatusView | undefined {
  if (state === 'off') return undefined;
  const known = members === null || members.length === 0 ? '' : `: ${members.join(', ')}`;
  return { state, reason: `${reason}${known}` };
}

/** The age of one that is unknown is among the unknown parts of the status. */
function credentialView({
  state,
  parameterName,
  publishedAt,
}: Status['credentials'][number]): readonly CredentialView[] {
  if (publishedAt !== null) return [{ parameterName, publishedAt: Date.parse(publishedAt) }];
  return state === 'unknown' ? [] : [{ parameterName }];
}

/** What the API could not read itself, and what could not be read of it. */
const unknownOf = (reading: ApiReading): readonly UnknownView[] => [
  ...unknownParts({
    'the groups': withoutPath(reading.groups),
    'the instances': withoutPath(reading.instances),
    'the holds': withoutPath(reading.holds),
    'the rolls': withoutPath(reading.rolls),
    'the schedules': withoutPath(reading.schedules),
    'what joins and leaves': withoutPath(reading.passes),
    'the status': withoutPath(reading.status),
  }),
  ...(valueOf(reading.status)?.unknown ?? []).map((reason) => ({ what: 'of the scale API', reason })),
];

/** An API that is away is one line of the page, not one for each request. */
const withoutPath = <Value>(part: Part<Value>): Part<Value> =>
  part.kind === 'known' ? part : { ...part, reason: part.reason.replace(/ GET \/\S+/, '') };
