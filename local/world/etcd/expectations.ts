import { etcdStatusTagKey } from '../../../shared/etcd/groups.ts';
import { findHostMarks, findZoneMark } from '../../../shared/etcd/mark.ts';
import type { DnsRecord } from '../../../shared/etcd/zone.ts';
import { type DroverWorld, membersOf } from '../drover-world.ts';
import { clustersOf, domain } from './etcd-world.ts';

/** The zone as the name servers have it, as records. */
export const recordsIn = ({ account }: Pick<DroverWorld, 'account'>): readonly DnsRecord[] =>
  account.route53.controls.served().flatMap(({ sets }) =>
    [...sets.values()].map(({ name, type, ttlSeconds = 0, values }) => ({
      name: name.replace(/\.$/, ''),
      type: type as DnsRecord['type'],
      ttlSeconds,
      values: values.map((value) => value.replaceAll('"', '')),
    })),
  );

/** The instances that the SRV set for peers shows. */
export const peersIn = ({ etcd }: DroverWorld): readonly string[] =>
  etcd
    .resolve(`_etcd-server-ssl._tcp.${domain}`, 'SRV')
    .map((value) => value.split(' ')[3]?.split('.')[0] ?? '')
    .toSorted();

export const markIn = (world: Pick<DroverWorld, 'account'>) => findZoneMark(recordsIn(world), { domain });
export const hostMarksIn = (world: DroverWorld) => findHostMarks(recordsIn(world), { domain });

export const inService = (world: DroverWorld, group = 'etcd'): readonly string[] =>
  membersOf(world, group)
    .filter(({ LifecycleState }) => LifecycleState === 'InService')
    .map(({ InstanceId = '' }) => InstanceId)
    .sort();

/** Lets time pass until so many members serve one cluster, are in service and are what DNS shows. */
export async function untilWhole(
  world: DroverWorld,
  size: number,
  options: { readonly withinSeconds?: number; readonly onLook?: () => void } = {},
): Promise<string> {
  const { withinSeconds = 1800, onLook = () => undefined } = options;
  const isWhole = (): boolean => {
    onLook();
    const [members = [], ...others] = [...clustersOf(world).values()];
    const serving = inService(world);
    return (
      others.length === 0 &&
      members.length === size &&
      serving.length === size &&
      serving.join() === peersIn(world).join() &&
      membersOf(world, 'etcd').length === size
    );
  };
  await world.timeline.until(isWhole, { withinSeconds, what: `a whole cluster of ${size}` });
  return [...clustersOf(world).keys()][0] ?? '';
}

/** What the status tag of the first group says; undefined if the group has none. */
export const statusTagIn = ({ account }: DroverWorld): string | undefined =>
  account.autoScaling.operations
    .DescribeAutoScalingGroups({})
    .AutoScalingGroups[0]?.Tags?.find(({ Key }) => Key === etcdStatusTagKey)?.Value;

interface PassLine {
  readonly reason: string;
  readonly facts?: { readonly problem?: string };
}

const lastPass = ({ lines }: DroverWorld): Partial<PassLine> =>
  (lines.findLast(({ message, work }) => message === 'pass' && work === 'etcd-membership') ??
    {}) as Partial<PassLine>;

/** Why the last pass over the zone ended as it did. */
export const lastReason = (world: DroverWorld): string => lastPass(world).reason ?? '';

/** The problem that the last pass over the zone reported. */
export const lastProblem = (world: DroverWorld): string | undefined => lastPass(world).facts?.problem;
