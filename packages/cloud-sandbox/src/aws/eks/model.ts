import type {
  AccessEntry,
  AuthenticationMode,
  CreateNodegroupRequest,
  ErrorDetail,
  Issue,
  NodegroupStatus,
  UpdateStatus,
  UpdateType,
} from '@aws-sdk/client-eks';
import type { AutoScaling } from '../auto-scaling/auto-scaling.ts';
import type { ServiceParts } from '../integration.ts';

export interface Cluster {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: number;
  /** By name. */
  readonly nodegroups: Map<string, Nodegroup>;
  readonly authenticationMode: AuthenticationMode;
  /** By the ARN of the principal. */
  readonly accessEntries: Map<string, AccessEntry>;
}

/** A managed node group. Its sizes are those of its Auto Scaling group. */
export interface Nodegroup {
  readonly arn: string;
  readonly autoScalingGroupName: string;
  readonly createdAt: number;
  readonly request: CreateNodegroupRequest;
  status: NodegroupStatus;
  /** By id. */
  readonly updates: Map<string, NodegroupUpdate>;
  /** Of EKS's image; undefined if it was never named: its images are not simulated. */
  releaseVersion?: string;
  /** What EKS says is wrong with it; a control of the sandbox sets them. */
  issues: readonly Issue[];
}

/** A change of a node group that EKS carries out. */
export interface NodegroupUpdate {
  readonly id: string;
  readonly type: UpdateType;
  readonly createdAt: number;
  /** Types and values. */
  readonly params: Readonly<Record<string, string>>;
  status: UpdateStatus;
  errors: readonly ErrorDetail[];
}

export interface EksWorld extends ServiceParts {
  readonly autoScaling: AutoScaling;
  /** How long an update takes. */
  readonly updateSeconds: number;
  /** By name. */
  readonly clusters: Map<string, Cluster>;
}
