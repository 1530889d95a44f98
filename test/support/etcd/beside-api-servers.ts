import { userDataOfEtcd } from '../../../local/cloud/etcd-user-data.ts';
import { addBesideGroup } from '../../../local/etcd-group.ts';
import {
  clusterName,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
} from '../../../local/world/drover-world.ts';
import { createEtcdDroverWorld } from '../../../local/world/etcd/etcd-world.ts';
import { inService } from '../../../local/world/etcd/expectations.ts';

/** Whether etcd on the instance has a quorum, which the API server beside it needs: it asks only this member. */
const hasServingMember = (world: DroverWorld, instanceId: string): boolean => {
  const running = world.etcd.world.running();
  const own = running.find((one) => one.instanceId === instanceId);
  if (!own?.serves) return false;
  const voters = own.members.filter(({ isLearner }) => !isLearner);
  const answering = voters.filter(({ id }) =>
    running.some(({ clusterId, memberId }) => clusterId === own.clusterId && memberId === id),
  );
  return answering.length > voters.length / 2;
};

/** Instances that the load balancer of the API servers leads to. Auto Scaling registers them once they are in service, and no longer. */
export const apiServersOf = (world: DroverWorld): readonly string[] =>
  inService(world).filter((instanceId) => hasServingMember(world, instanceId));

interface BesideOptions {
  readonly weather?: NonNullable<DroverWorldOptions['weather']>;
  /** The delay of the group's target group. Without it the group has none. */
  readonly deregistrationSeconds?: number | undefined;
  /** Without it backups are kept elsewhere. */
  readonly snapshotBucket?: string;
}

/**
 * A group whose instances run etcd and API servers, behind a load balancer that Auto Scaling fills: functions reach the API server only
 * while it leads to one. The group has the hooks of etcd and of nodes, and a target group if it has a deregistration delay.
 */
export const createBesideWorld = (
  size: number,
  { deregistrationSeconds, ...options }: BesideOptions = {},
): DroverWorld =>
  createWorldWithoutGroup(options, (world) => {
    const TargetGroupARNs =
      deregistrationSeconds === undefined ? [] : [addTargetGroup(world, deregistrationSeconds)];
    addBesideGroup(world, { size, settings: { TargetGroupARNs } });
  });

/** The same world with a group that something else makes. */
export function createWorldWithoutGroup(
  { weather = {}, snapshotBucket }: Pick<BesideOptions, 'weather' | 'snapshotBucket'>,
  addGroup: (world: DroverWorld) => void,
): DroverWorld {
  let made: DroverWorld | undefined;
  const world = createEtcdDroverWorld({
    ...(snapshotBucket && { snapshotBucket }),
    kubelets: { configure: () => ({ readyDelaySeconds: 30 }) },
    etcd: { userData: { ...userDataOfEtcd(clusterName), runsOn: () => true } },
    weather: {
      ...weather,
      strike: (call) =>
        call.to === 'kubernetes' && made && apiServersOf(made).length === 0
          ? { kind: 'fail-before' }
          : weather.strike?.(call),
    },
  });
  made = world;
  addGroup(world);
  return world;
}

function addTargetGroup({ account }: DroverWorld, delaySeconds: number): string {
  const { operations } = account.loadBalancing;
  const [group] = operations.CreateTargetGroup({ Name: 'api', Protocol: 'TCP', Port: 6443 }).TargetGroups;
  const TargetGroupArn = group?.TargetGroupArn ?? '';
  const Attributes = [{ Key: 'deregistration_delay.timeout_seconds', Value: String(delaySeconds) }];
  operations.ModifyTargetGroupAttributes({ TargetGroupArn, Attributes });
  return TargetGroupArn;
}

/** The ids of the instances that the group has, in any state. */
export const idsOf = (world: DroverWorld): readonly string[] =>
  membersOf(world, 'etcd').map(({ InstanceId = '' }) => InstanceId);

/** What went wrong, without the failures that are due while no API server answers: functions that have nothing else to do are invoked again. */
export const unexpectedProblems = ({ problems }: DroverWorld): readonly unknown[] =>
  problems.filter((problem) => !JSON.stringify(problem).includes('no answer from kubernetes.sandbox'));
