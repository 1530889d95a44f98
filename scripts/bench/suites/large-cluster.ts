import { measureDrain } from '../drain.ts';
import type { Suite } from '../figure.ts';

const podsPerNode = 10;
const bystanders = 4999;

export const largeCluster: Suite = {
  name: 'large-cluster',
  about: 'what one node of 10 pods costs in a cluster of 5,000 nodes',
  run: async () => {
    const { apiRequests, apiBytes } = await measureDrain({ nodes: 1, podsPerNode, bystanders });
    return [
      { name: 'a node of 10 pods among 5,000', value: apiRequests, unit: 'requests', goal: podsPerNode + 6 },
      { name: 'a node of 10 pods among 5,000: read', value: apiBytes / 1000, unit: 'KB' },
    ];
  },
};
