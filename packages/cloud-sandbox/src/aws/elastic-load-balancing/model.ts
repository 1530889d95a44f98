import type {
  CreateTargetGroupInput,
  TargetHealthReasonEnum,
  TargetHealthStateEnum,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { ServiceParts } from '../integration.ts';
import { AwsError } from '../service.ts';

export interface Target {
  readonly id: string;
  readonly port: number;
  state: TargetHealthStateEnum;
  reason: TargetHealthReasonEnum | undefined;
  /** Called when the deregistration is complete. */
  readonly drained: Set<() => void>;
}

export interface TargetGroup {
  readonly arn: string;
  readonly name: string;
  readonly settings: CreateTargetGroupInput;
  readonly attributes: Map<string, string>;
  /** By `id:port`. */
  readonly targets: Map<string, Target>;
}

export interface LoadBalancingWorld extends ServiceParts {
  readonly targetGroups: Map<string, TargetGroup>;
  /** Targets without connections: their deregistration is complete at once. */
  readonly idle: Set<string>;
  readonly initialHealthSeconds: number;
}

export const loadBalancingErrors = {
  notFound: (name: string) =>
    new AwsError({ code: 'TargetGroupNotFound', message: `Target groups '${name}' not found` }),
  duplicate: (name: string) =>
    new AwsError({
      code: 'DuplicateTargetGroupName',
      message: `A target group with the same name '${name}' exists, but with different settings`,
    }),
  validation: (message: string) => new AwsError({ code: 'ValidationError', message }),
};

export function findTargetGroup(world: LoadBalancingWorld, arn: string | undefined): TargetGroup {
  if (arn === undefined) throw loadBalancingErrors.validation('A target group ARN must be specified');
  const group = world.targetGroups.get(arn);
  if (group === undefined) throw loadBalancingErrors.notFound(arn);
  return group;
}
