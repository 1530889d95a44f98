import type { TargetRegistry } from '../auto-scaling/world.ts';
import type { ServiceParts } from '../integration.ts';
import type { AwsService } from '../service.ts';
import { findTargetGroup, type LoadBalancingWorld } from './model.ts';
import { targetGroupOperations } from './target-group-operations.ts';
import { targetOperations } from './target-operations.ts';
import { deregisterTarget, registerTarget } from './targets.ts';

export interface LoadBalancingOptions extends ServiceParts {
  /** From registration to healthy, in simulated seconds. */
  readonly initialHealthSeconds?: number;
}

const operationsOf = (world: LoadBalancingWorld) => ({
  ...targetGroupOperations(world),
  ...targetOperations(world),
});

/** Elastic Load Balancing (v2) as far as target groups go: registration, health, draining. There are no load balancers. */
export interface ElasticLoadBalancing extends AwsService {
  readonly operations: ReturnType<typeof operationsOf>;
  /** For Auto Scaling. */
  readonly targets: TargetRegistry;
  /** Whether clients are connected to the target: without connections it drains at once. By default they are. */
  setConnected(targetId: string, connected: boolean): void;
}

export function createElasticLoadBalancing(options: LoadBalancingOptions): ElasticLoadBalancing {
  const { clock, random, accountId, region } = options;
  const world: LoadBalancingWorld = {
    clock,
    random,
    accountId,
    region,
    targetGroups: new Map(),
    idle: new Set(),
    initialHealthSeconds: options.initialHealthSeconds ?? 10,
  };
  return {
    signingName: 'elasticloadbalancing',
    operations: operationsOf(world),
    targets: registryOf(world),
    setConnected: (targetId, connected) => {
      if (connected) world.idle.delete(targetId);
      else world.idle.add(targetId);
    },
  };
}

/** A target group that is deleted meanwhile takes no targets and has none left to drain. */
function registryOf(world: LoadBalancingWorld): TargetRegistry {
  return {
    exists: (arn) => world.targetGroups.has(arn),
    register: (arn, instanceId) => {
      if (world.targetGroups.has(arn)) registerTarget(world, findTargetGroup(world, arn), { Id: instanceId });
    },
    deregister: (arn, instanceId, drained) => {
      if (!world.targetGroups.has(arn)) return drained();
      deregisterTarget(world, findTargetGroup(world, arn), { Id: instanceId }, drained);
    },
  };
}
