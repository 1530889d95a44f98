import type { Dice } from '../lifetimes/plan/dice.ts';
import type { AutoScaling } from './auto-scaling.ts';
import { apps, type Cluster, type LivingNode, nodeCpu } from './cluster.ts';

interface Scaled {
  readonly cluster: Cluster;
  readonly autoScaling: AutoScaling;
  readonly dice: Dice;
}

/** As cluster-autoscaler: it launches a node for pods that have none, and respects MaxSize. */
export function scaleUp(group: string, { cluster, autoScaling }: Scaled): void {
  const sizes = autoScaling.sizes(group);
  if (sizes === undefined || sizes.desiredCapacity >= sizes.maxSize) return;
  const waiting = cluster
    .pods()
    .filter(
      ({ app, nodeName, isTerminating }) =>
        apps[app].pool === group && nodeName === undefined && !isTerminating,
    )
    .reduce((sum, { app }) => sum + apps[app].cpu, 0);
  const coming = autoScaling.instances(group).filter(({ state }) => state === 'Pending:Wait').length;
  const desiredCapacity = sizes.desiredCapacity + Math.ceil(waiting / nodeCpu) - coming;
  if (desiredCapacity > sizes.desiredCapacity)
    autoScaling.update(group, { desiredCapacity: Math.min(sizes.maxSize, desiredCapacity) });
}

/**
 * As its scale-down: it terminates an empty node, or drains one that is hardly used and whose pods fit elsewhere, and respects MinSize.
 *
 * @returns whether pods have to move.
 */
export function scaleDown(group: string, { cluster, autoScaling, dice }: Scaled, now: number): boolean {
  const sizes = autoScaling.sizes(group);
  if (sizes === undefined || sizes.desiredCapacity <= sizes.minSize) return false;
  const own = cluster
    .nodes()
    .filter(
      (node) => node.pool === group && cluster.isOpen(node) && autoScaling.isInService(node.instanceId),
    );
  const old = own.filter(({ createdAt }) => now - createdAt > 600_000);
  const empty = old.filter(({ name }) => cluster.podsOn(name).length === 0);
  const little = old.filter(
    (node) => cluster.freeOn(node.name) > nodeCpu / 2 && fitsElsewhere(node, own, cluster),
  );
  const victim = empty.length > 0 ? dice.pick(empty) : little[0];
  if (victim === undefined || (empty.length === 0 && dice.chance(0.5))) return false;
  autoScaling.terminate(group, victim.instanceId, { replaces: false });
  return empty.length === 0;
}

function fitsElsewhere(node: LivingNode, own: readonly LivingNode[], cluster: Cluster): boolean {
  const free = own.filter((other) => other !== node).map(({ name }) => cluster.freeOn(name));
  return cluster.podsOn(node.name).every(({ app }) => {
    const place = free.findIndex((room) => room >= apps[app].cpu);
    if (place < 0) return false;
    free[place] = (free[place] ?? 0) - apps[app].cpu;
    return true;
  });
}
