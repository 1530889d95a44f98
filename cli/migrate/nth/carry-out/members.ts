import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { describeGroups } from '../../../../shared/aws/auto-scaling.ts';
import { warmPoolMembers } from '../../../../shared/aws/warm-pools.ts';
import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import type { AdoptAccess } from '../../../adopt/access.ts';
import { type Member, membersHeldBy, wordsOf } from '../plan/leaving.ts';

type Access = Pick<AdoptAccess, 'autoScaling' | 'ec2'>;

interface Waiting {
  /** The tags of the same description of the group. */
  readonly tags: Readonly<Record<string, string>>;
  /** `i-0 is in Terminating:Wait` */
  readonly held: readonly string[];
}

/** The instances of a group and of its warm pool that hooks of these transitions hold, without those that EC2 no longer runs: they have no pods to drain. */
export async function waitingIn(
  group: string,
  transitions: readonly LifecycleHook['transition'][],
  { autoScaling: { client }, ec2 }: Access,
): Promise<Waiting> {
  const { groups } = await describeGroups(client, { AutoScalingGroupNames: [group] });
  const [described] = groups;
  const pool = described?.hasWarmPool ? await warmPoolMembers(client, group) : [];
  const held = membersHeldBy([...(described?.instances ?? []), ...pool], transitions);
  const running = held.length === 0 ? [] : await runningOf(held, ec2);
  return { tags: described?.tags ?? {}, held: running.map(wordsOf) };
}

const mostIds = 200;

/** EC2 forgets an instance an hour after its end. A filter, unlike a list of ids, does not fail then. */
async function runningOf(held: readonly Member[], ec2: Access['ec2']): Promise<readonly Member[]> {
  const running: Member[] = [];
  for (let start = 0; start < held.length; start += mostIds) {
    const some = held.slice(start, start + mostIds);
    const { Reservations = [] } = await ec2.send(
      new DescribeInstancesCommand({
        Filters: [{ Name: 'instance-id', Values: some.map(({ instanceId }) => instanceId) }],
      }),
    );
    const states = new Map(
      Reservations.flatMap(({ Instances = [] }) => Instances).map(({ InstanceId, State }) => [
        InstanceId,
        State?.Name,
      ]),
    );
    running.push(...some.filter((one) => !hasEnded(one, states.get(one.instanceId))));
  }
  return running;
}

/** EC2 may not show an instance yet that has just been launched. */
const hasEnded = ({ lifecycleState }: Member, state: string | undefined): boolean =>
  state === undefined ? lifecycleState.includes('Terminating') : /^(?:shutting-down|terminated)$/.test(state);
