import type { Ec2Instance } from './group.ts';

/** EC2, as the passes need it. */
export interface Ec2 {
  /** Undefined when EC2 does not know the id: evidence only when it is found missing twice, minutes apart. */
  describeInstance(instanceId: string): Promise<Ec2Instance | undefined>;
}
