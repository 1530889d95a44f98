import type { NodegroupState } from './groups.ts';

/** What is not as usual with a managed node group of EKS, for an operator. Empty where EKS calls it active and healthy. Pure. */
export const nodegroupWords = ({
  nodegroupName,
  status,
  healthIssues,
}: NodegroupState): readonly string[] => [
  ...(status === 'ACTIVE' ? [] : [`EKS calls the node group ${nodegroupName} ${status}`]),
  ...healthIssues.map((issue) => `EKS says of the node group ${nodegroupName}: ${issue}`),
];
