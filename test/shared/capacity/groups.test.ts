import { expect, it } from 'vitest';
import { nodegroupWords } from '../../../shared/capacity/groups.ts';

const blue = { eksClusterName: 'prod', nodegroupName: 'blue', status: 'ACTIVE', healthIssues: [] };

it('an active and healthy node group has no problems', () => {
  expect(nodegroupWords(blue)).toEqual([]);
});

it('the status and each health issue of a node group are reported', () => {
  const issue = 'AsgInstanceLaunchFailures: not enough m5.large';
  expect(nodegroupWords({ ...blue, status: 'DEGRADED', healthIssues: [issue] })).toEqual([
    'EKS reports the node group blue as DEGRADED',
    `EKS reports about the node group blue: ${issue}`,
  ]);
});
