import { shellWord } from '../../../shared/base/shell-words.ts';
import type { EtcdContext } from '../../../shared/etcd/context.ts';
import type { EtcdGroup } from '../../../shared/etcd/groups.ts';
import type { BirthState } from '../../../shared/etcd/mark.ts';
import { instanceOfMember, memberHost, peerUrl } from '../../../shared/etcd/names.ts';
import type { EtcdObservation } from '../../../shared/etcd/observe.ts';
import { instanceBehind } from '../../../shared/etcd/observed-members.ts';
import { runningEtcds } from '../../../shared/etcd/statuses.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { instancesAtStake, namedInstances } from './instances-at-stake.ts';

/** @throws CliError always: the command has changed nothing. */
export const refuse = (message: string): never => {
  throw new CliError(message, exitCodes.failed);
};

/** @throws CliError while any etcd of the groups answers, or refuses our certificate, which is a sign of life too. */
export function refuseWhileAlive({ cluster }: EtcdObservation): void {
  const alive = cluster.kind === 'asked' ? runningEtcds(cluster.statuses) : [];
  if (alive.length > 0)
    refuse(
      `${alive.map(({ what }) => what).join('; ')}: the cluster is not lost. To give it up, terminate these instances and complete their hooks by hand (aws autoscaling complete-lifecycle-action)`,
    );
}

/** What a command is about to lose. */
export interface Sacrifice {
  readonly etcd: Pick<EtcdContext, 'settings'>;
  readonly birth?: BirthState;
  /** What the operator gives up. */
  readonly giveUp: readonly string[];
}

/** @throws CliError while an instance of the cluster exists that is not given up. Silence says nothing: it may serve elsewhere. */
export function refuseWhileAtStake(observation: EtcdObservation, { etcd, birth, giveUp }: Sacrifice): void {
  const atStake = instancesAtStake(observation, etcd.settings, birth);
  if (atStake.length > 0 && observation.cluster.kind === 'not-asked')
    refuse(
      `${atStake.join(', ')} still exist, and this deployment does not ask members: terminate them first`,
    );
  const kept = without(atStake, giveUp);
  if (kept.length > 0)
    refuse(
      `${kept.join(', ')} still exist, and may serve where this machine cannot reach them: terminate them, or give up what they hold with --give-up ${kept.join(' ')}`,
    );
}

/**
 * @throws CliError if no etcd group shows that this is the region and the account of the cluster, and EC2 does not know an instance of
 * the records: it may run in another region.
 */
export function refuseElsewhere(
  seen: EtcdObservation,
  groups: readonly unknown[],
  { etcd, birth, giveUp }: Sacrifice,
): void {
  if (groups.length > 0) return;
  const unknown = namedInstances(seen, etcd.settings, birth).filter(
    (id) => seen.others.get(id) === 'unknown-to-ec2',
  );
  const kept = without(unknown, giveUp);
  if (kept.length > 0)
    refuse(
      `there is no etcd group of cluster ${etcd.settings.clusterName} here, and EC2 does not know ${kept.join(', ')}: check the region, the account and --cluster. If the instances are gone, say so with --give-up ${kept.join(' ')}`,
    );
}

/** @throws CliError while a group wants instances: without the mark they would be the first members of an empty cluster. */
export function refuseWhileWanted(groups: readonly Pick<EtcdGroup, 'group'>[]): void {
  const wanting = groups.map(({ group }) => group).filter(({ desiredCapacity }) => desiredCapacity > 0);
  if (wanting.length === 0) return;
  const found = wanting.map((one) => `${one.autoScalingGroupName} wants ${one.desiredCapacity} instances`);
  const commands = wanting.map(
    (one) =>
      `  aws autoscaling update-auto-scaling-group --auto-scaling-group-name ${shellWord(one.autoScalingGroupName)} --min-size 0 --desired-capacity 0`,
  );
  refuse(
    `${found.join(', ')}, which would form an empty cluster once the records are gone. If the cluster is lost, drover etcd restore brings it back, and drover etcd rebirth declares it lost. If it is not needed any more, scale its groups to 0 first:\n${commands.join('\n')}`,
  );
}

const without = (ids: readonly string[], givenUp: readonly string[]): readonly string[] =>
  ids.filter((id) => !givenUp.includes(id));

/** @throws CliError where a peer URL is not by name: Drover publishes and replaces members by the name in it. */
export function refuseWithoutNames(
  { cluster, instances }: EtcdObservation,
  { settings: { naming } }: Pick<EtcdContext, 'settings'>,
): void {
  if (cluster.kind !== 'asked') return;
  const { list, statuses } = cluster;
  const nameless = (list?.members ?? []).filter((member) => instanceOfMember(member, naming) === undefined);
  if (nameless.length === 0) return;
  const found = nameless.map((member) => {
    const instanceId = instanceBehind(member, statuses) ?? 'INSTANCE_ID';
    const [address = 'ADDRESS'] = instances.find((one) => one.instanceId === instanceId)?.addresses ?? [];
    return { ...member, id: BigInt(member.id).toString(16), host: memberHost(instanceId, naming), address };
  });
  const names = found.map(({ host, address }) => `  ${address} ${host}`);
  const updates = found.map(
    ({ id, host, isLearner }) =>
      `${isLearner ? `  etcdctl member promote ${id}\n` : ''}  etcdctl member update ${id} --peer-urls=${peerUrl(host, naming)}`,
  );
  // An update makes etcd forget that a member is a learner, which then can never be promoted (etcd-io/etcd#21694).
  refuse(
    `members have peer URLs that are not by the name that Drover gives to their instance, so Drover could neither publish nor replace them. Change them first: drover etcd adopt --plan shows every step. Stacked etcd of kubeadm cannot be adopted. Their certificates must have these names, and until Drover publishes the names, /etc/hosts of every member:\n${names.join('\n')}\nThen one after the other, while all members are healthy:\n${updates.join('\n')}`,
  );
}
