import type { InstanceFacts } from './facts.ts';

/** An instance as EC2 alone describes it. */
export type NamedInstance = Omit<InstanceFacts, 'group' | 'returnedAt'>;

/** EC2, as decisions need it. Many names travel in few calls, and nothing is cached: the VPC CNI moves addresses. */
export interface NamedInstances {
  /** Every instance, in any state, that one of these Node names may belong to. */
  find(nodeNames: readonly string[]): Promise<readonly NamedInstance[]>;
  /** Those that EC2 still knows. */
  findByIds(instanceIds: readonly string[]): Promise<readonly NamedInstance[]>;
}
