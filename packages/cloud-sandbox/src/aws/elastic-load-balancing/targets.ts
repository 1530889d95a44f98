import type { TargetDescription } from '@aws-sdk/client-elastic-load-balancing-v2';
import { type LoadBalancingWorld, loadBalancingErrors, type Target, type TargetGroup } from './model.ts';

const keyOf = (id: string, port: number): string => `${id}:${port}`;

const portOf = (group: TargetGroup, port: number | undefined): number => port ?? group.settings.Port ?? 80;

/** A new target is healthy after its first checks; one that is draining is back at once. */
export function registerTarget(
  world: LoadBalancingWorld,
  group: TargetGroup,
  description: TargetDescription,
): void {
  const { Id: id } = description;
  if (id === undefined) throw loadBalancingErrors.validation('A target must have an Id');
  const port = portOf(group, description.Port);
  const key = keyOf(id, port);
  const before = group.targets.get(key);
  if (before !== undefined && before.state !== 'draining') return;
  const target: Target = {
    id,
    port,
    state: 'initial',
    reason: 'Elb.RegistrationInProgress',
    drained: new Set(),
  };
  group.targets.set(key, target);
  world.clock.after(world.initialHealthSeconds * 1000, () => {
    if (target.state !== 'initial') return;
    target.state = 'healthy';
    target.reason = undefined;
  });
}

/**
 * No new connections; the target is gone after the deregistration delay, or at once if nothing is connected to it.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/edit-target-group-attributes.html
 */
export function deregisterTarget(
  world: LoadBalancingWorld,
  group: TargetGroup,
  { Id: id = '', Port }: TargetDescription,
  drained: () => void = () => undefined,
): void {
  const key = keyOf(id, portOf(group, Port));
  const target = group.targets.get(key);
  if (target === undefined) {
    drained();
    return;
  }
  target.drained.add(drained);
  if (target.state === 'draining') return;
  target.state = 'draining';
  target.reason = 'Target.DeregistrationInProgress';
  world.clock.after(delayMilliseconds(world, group, id), () => {
    if (group.targets.get(key) === target) group.targets.delete(key);
    for (const tell of target.drained) tell();
  });
}

function delayMilliseconds(world: LoadBalancingWorld, group: TargetGroup, id: string): number {
  return world.idle.has(id) ? 0 : Number(group.attributes.get('deregistration_delay.timeout_seconds')) * 1000;
}
