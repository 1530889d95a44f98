import type { InstanceView } from './types.ts';

/** Why an instance in service is not well. Pure. */
export function failureOf({ ec2State, healthy, node }: InstanceView): string {
  if (ec2State !== undefined && ec2State !== 'running') return `its machine is ${ec2State}`;
  if (!healthy) return 'Unhealthy in Auto Scaling';
  return node ? 'its node is not Ready' : 'it has no node';
}
