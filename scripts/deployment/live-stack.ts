import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateDescribeStacks,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import type { ClientConfig } from './osls.ts';

/** The tag of a stack that names its cluster. */
export const clusterTag = 'drover.dev/cluster';

/** What CloudFormation has of a stage. */
export interface LiveStack {
  readonly stackName: string;
  /** Absent if the stack has no such tag. */
  readonly clusterName: string | undefined;
}

/** A stack that says which cluster it serves. */
export interface DroverStack extends LiveStack {
  readonly clusterName: string;
}

/** Reads a stack. Undefined if there is none, or only the review of its first change set. */
export async function readLiveStack(config: ClientConfig, stackName: string): Promise<LiveStack | undefined> {
  const client = new CloudFormationClient(config);
  const stack = await describe(client, stackName);
  if (stack === undefined || stack.StackStatus === 'REVIEW_IN_PROGRESS') return undefined;
  return {
    stackName,
    clusterName: stack.Tags?.find(({ Key }) => Key === clusterTag)?.Value,
  };
}

/**
 * Other stacks of the region whose cluster has this name in another case. IAM and Auto Scaling's filters compare the keys of tags without case
 * (IAM User Guide, "Rules for tagging"), so both deployments would have rights on `kubernetes.io/cluster/prod` and `kubernetes.io/cluster/PROD`.
 */
export async function stacksOfCluster(
  config: ClientConfig,
  { stackName, clusterName }: { readonly stackName: string; readonly clusterName: string },
): Promise<readonly DroverStack[]> {
  const client = new CloudFormationClient(config);
  const found: DroverStack[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {}))
    for (const { StackName = '', Tags, ParentId } of Stacks) {
      const other = Tags?.find(({ Key }) => Key === clusterTag)?.Value;
      const isSame = other?.toLowerCase() === clusterName.toLowerCase() && other !== clusterName;
      if (other !== undefined && isSame && StackName !== stackName && ParentId === undefined)
        found.push({ stackName: StackName, clusterName: other });
    }
  return found;
}

async function describe(client: CloudFormationClient, stackName: string) {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    return Stacks?.[0];
  } catch (error) {
    // CloudFormation has no error code of its own for this.
    if (error instanceof Error && error.message.endsWith('does not exist')) return undefined;
    throw error;
  }
}

/** Logical id -> group id, of the security groups that the stack made. */
export async function securityGroupsOf(
  config: ClientConfig,
  { stackName }: LiveStack,
): Promise<Readonly<Record<string, string>>> {
  const client = new CloudFormationClient(config);
  const groups: Record<string, string> = {};
  const pages = paginateListStackResources({ client }, { StackName: stackName });
  for await (const { StackResourceSummaries = [] } of pages)
    for (const { ResourceType, LogicalResourceId = '', PhysicalResourceId } of StackResourceSummaries)
      if (ResourceType === 'AWS::EC2::SecurityGroup' && PhysicalResourceId)
        groups[LogicalResourceId] = PhysicalResourceId;
  return groups;
}
