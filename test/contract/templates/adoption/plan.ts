import { planAdoption } from '../../../../cli/adopt/plan/plan.ts';
import type { Plan } from '../../../../cli/adopt/plan/step.ts';
import { eks, group, node, observation, wishes } from '../../../cli/adopt/observed.ts';

/** A plan for groups with names that tools do not take as names of resources. */
export function planOfOddNames(changes: Parameters<typeof observation>[0] = {}): Plan {
  const names = ['workers', 'Workers_1', '1st ${group}'];
  const nodes = names.map((name, index) => node(`node-${index}`, `i-${name}`));
  const groups = names.map((name) =>
    group(name, {}, { instanceRoleArns: ['arn:aws:iam::123456789012:role/nodes'] }),
  );
  return planAdoption(observation({ groups, nodes, ...changes }), wishes());
}

/** The same on EKS, with access entries. */
export const planOnEks = (): Plan => planOfOddNames({ eks: eks({}), features: new Set() });
