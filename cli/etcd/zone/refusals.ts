import type { EtcdContext } from '../../../shared/etcd/context.ts';
import { type BirthState, findHostMarks } from '../../../shared/etcd/mark.ts';
import { instanceOfMember, memberHost, peerUrl } from '../../../shared/etcd/names.ts';
import type { EtcdObservation } from '../../../shared/etcd/observation.ts';
import { instanceBehind } from '../../../shared/etcd/observed-members.ts';
import { signsOfLife } from '../../../shared/etcd/signs-of-life.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';

/** @throws CliError always: the command has changed nothing. */
export const refuse = (message: string): never => {
  throw new CliError(message, exitCodes.failed);
};

/** @throws CliError while any etcd of the groups answers, or refuses our certificate, which is a sign of life too. */
export function refuseWhileAlive({ cluster }: EtcdObservation): void {
  const alive = cluster.kind === 'asked' ? signsOfLife(cluster.statuses) : [];
  if (alive.length > 0)
    refuse(
      `${alive.map(({ what }) => what).join('; ')}: the cluster is not lost. Terminate these instances first`,
    );
}

/** The instances that the records name and that still exist: their data may be the last copy. */
function instancesAtStake(
  { zone, instances, others }: EtcdObservation,
  { settings: { naming } }: Pick<EtcdContext, 'settings'>,
  birth: BirthState,
): readonly string[] {
  const first = birth.kind === 'forming' ? birth.set : [];
  const named = new Set([...findHostMarks(zone.records, naming).keys(), ...first]);
  return [...named].filter((id) => {
    const instance = instances.find(({ instanceId }) => instanceId === id);
    return instance ? !instance.gone : ['running', 'stopped'].includes(others.get(id) ?? 'gone');
  });
}

interface Sacrifice {
  readonly etcd: Pick<EtcdContext, 'settings'>;
  readonly birth: BirthState;
  readonly giveUp: readonly string[];
}

/** @throws CliError while an instance of the cluster exists that is not given up. Silence says nothing: it may serve elsewhere. */
export function refuseWhileAtStake(observation: EtcdObservation, { etcd, birth, giveUp }: Sacrifice): void {
  const atStake = instancesAtStake(observation, etcd, birth);
  if (atStake.length > 0 && observation.cluster.kind === 'not-asked')
    refuse(
      `${atStake.join(', ')} still exist, and this deployment does not ask members: terminate them first`,
    );
  const kept = atStake.filter((instanceId) => !giveUp.includes(instanceId));
  if (kept.length > 0)
    refuse(
      `${kept.join(', ')} still exist, and may serve where this machine cannot reach them: terminate them, or give up what they hold with --give-up ${kept.join(' ')}`,
    );
}

/** @throws CliError where a peer URL is not by name: Drover publishes and replaces members by the name in it. */
export function refuseWithoutNames(
  { cluster }: EtcdObservation,
  { settings: { naming } }: Pick<EtcdContext, 'settings'>,
): void {
  if (cluster.kind !== 'asked') return;
  const { list, statuses } = cluster;
  const nameless = (list?.members ?? []).filter((member) => instanceOfMember(member, naming) === undefined);
  if (nameless.length === 0) return;
  const updates = nameless.map((member) => {
    const instanceId = instanceBehind(member, statuses) ?? 'INSTANCE_ID';
    const id = BigInt(member.id).toString(16);
    return `  etcdctl member update ${id} --peer-urls=${peerUrl(memberHost(instanceId, naming), naming)}`;
  });
  refuse(
    `members have peer URLs that are not by the name that Drover gives to their instance, so Drover could neither publish nor replace them. Their certificates must have these names too. Change them first:\n${updates.join('\n')}`,
  );
}
