import { expect, it } from 'vitest';
import { nodegroupWords } from '../../../shared/capacity/groups.ts';

const blue = { eksClusterName: 'prod', nodegroupName: 'blue', status: 'ACTIVE', healthIssues: [] };

it('an active and healthy node group needs no word', () => {
  expect(nodegroupWords(blue)).toEqual([]);
});

it('the status and each health issue of a node group are said', () => {
  const issue = 'AsgInstanceLaunchFailures: not enough m5.large';
  expect(nodegroupWords({ ...blue, status: 'DEGRADED', healthIssues: [issue] })).toEqual([
    'EKS calls the node group blue DEGRADED',
    `EKS says of the node group blue: ${issue}`,
  ]);
});
