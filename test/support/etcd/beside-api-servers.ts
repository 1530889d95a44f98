import { userDataOfEtcd } from '../../../local/cloud/etcd-user-data.ts';
import { addEtcdGroup } from '../../../local/etcd-group.ts';
import {
  clusterName,
  type DroverWorld,
  type DroverWorldOptions,
  hookName,
  membersOf,
} from '../../../local/world/drover-world.ts';
import { createEtcdDroverWorld } from '../../../local/world/etcd/etcd-world.ts';
import { inService } from '../../../local/world/etcd/expectations.ts';

/** Whether etcd on the instance has a quorum, which the API server beside it needs: it asks only this member. */
const hasServingMember = (world: DroverWorld, instanceId: string): boolean => {
  const view = world.etcd.world.view(instanceId);
  return view?.kind === 'running' && view.serves;
};

/** Instances that the load balancer of the API servers leads to. Auto Scaling registers them once they are in service, and no longer. */
export const apiServersOf = (world: DroverWorld): readonly string[] =>
  inService(world).filter((instanceId) => hasServingMember(world, instanceId));

/**
 * A group whose instances run etcd and API servers, behind a load balancer that Auto Scaling fills: functions reach the API server only
 * while it leads to one. The group has the hooks of etcd and of nodes.
 */
export function createBesideWorld(size: number, weather: DroverWorldOptions['weather'] = {}): DroverWorld {
  let made: DroverWorld | undefined;
  const world = createEtcdDroverWorld({
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
  addEtcdGroup(world, {
    size: 0,
    role: 'control-plane',
    hook: { name: hookName, heartbeatTimeoutSeconds: 300 },
  });
  const { operations } = world.account.autoScaling;
  operations.PutLifecycleHook({
    AutoScalingGroupName: 'etcd',
    LifecycleHookName: 'drover-node-joining',
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
    HeartbeatTimeout: 300,
    DefaultResult: 'CONTINUE',
  });
  operations.SetDesiredCapacity({ AutoScalingGroupName: 'etcd', DesiredCapacity: size });
  return world;
}

/** The ids of the instances that the group has, in any state. */
export const idsOf = (world: DroverWorld): readonly string[] =>
  membersOf(world, 'etcd').map(({ InstanceId = '' }) => InstanceId);

/** What went wrong, without the failures that are due while no API server answers: functions that have nothing else to do are invoked again. */
export const unexpectedProblems = ({ problems }: DroverWorld): readonly unknown[] =>
  problems.filter((problem) => !JSON.stringify(problem).includes('no answer from kubernetes.sandbox'));
