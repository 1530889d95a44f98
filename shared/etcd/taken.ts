import type { Ec2 } from '../groups/ec2.ts';
import type { ListedInstance } from './groups.ts';
import type { EtcdNotice } from './message.ts';

/**
 * The instances that EC2 takes, by id, each with its time in epoch milliseconds. A time that is past says nothing any more: the
 * instance is gone, or it stays.
 */
export const takenAmong = (notices: readonly EtcdNotice[], now: number): ReadonlyMap<string, number> =>
  new Map(
    notices.flatMap(({ cause, instanceId, deadline }) => {
      const at = cause === 'taken' && deadline ? Date.parse(deadline) : -Infinity;
      return instanceId && at > now ? [[instanceId, at] as const] : [];
    }),
  );

/** Without the spot warnings about instances that EC2 does not call Spot Instances. */
export async function confirmedNotices(
  notices: readonly EtcdNotice[],
  ec2: Ec2,
): Promise<readonly EtcdNotice[]> {
  const isConfirmed = async ({ spotOnly, instanceId }: EtcdNotice): Promise<boolean> =>
    !spotOnly || !instanceId || (await ec2.describeInstance(instanceId))?.spot === true;
  const confirmed = await Promise.all(notices.map(isConfirmed));
  return notices.filter((_, index) => confirmed[index]);
}

/** An instance in service that EC2 takes leaves before Auto Scaling knows, and no hook holds it. */
export const asTaken = (
  instances: readonly ListedInstance[],
  taken: ReadonlyMap<string, number>,
): readonly ListedInstance[] =>
  instances.map((one) =>
    taken.has(one.instanceId) && one.phase !== 'arriving' ? { ...one, phase: 'leaving', unheld: true } : one,
  );
