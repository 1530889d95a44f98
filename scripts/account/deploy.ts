import {
  CreateStackCommand,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { type BucketLocationConstraint, CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { AccountClients } from '@drover/cloud-sandbox/real/account/clients.ts';
import type { Deployment, StackPlan } from './release-stack.ts';
import { minutesOfStack } from './suites.ts';

/** CloudFormation has not made a stack. */
export class DeployError extends Error {
  override readonly name = 'DeployError';
}

export interface DeployOptions {
  readonly region: string;
  /** Where the bucket is, instead of AWS. */
  readonly endpoint?: string | undefined;
  readonly wait: (seconds: number) => Promise<void>;
  readonly say: (line: string) => void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

const secondsBetweenLooks = 10;
const looks = (minutesOfStack * 60) / secondsBetweenLooks;

/**
 * Uploads the artifacts, and makes the stacks one after the other.
 *
 * @throws DeployError with CloudFormation's reasons; what AWS answers; the reason of the signal
 */
export async function deploy(
  clients: AccountClients,
  { bucket, artifacts, stacks }: Deployment,
  options: DeployOptions,
): Promise<void> {
  const { region, say, signal } = options;
  await clients.s3.send(
    new CreateBucketCommand({
      Bucket: bucket,
      // The first region has no name here.
      ...(region !== 'us-east-1' && {
        CreateBucketConfiguration: { LocationConstraint: region as BucketLocationConstraint },
      }),
    }),
  );
  for (const { key, content } of artifacts) {
    signal.throwIfAborted();
    await clients.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content() }));
  }
  for (const stack of stacks) {
    signal.throwIfAborted();
    say(`Making the stack ${stack.name} ...`);
    await makeStack(clients, stack, { ...options, bucket });
  }
}

async function makeStack(
  clients: AccountClients,
  { name, templateKey, parameters }: StackPlan,
  { bucket, region, endpoint, wait, signal }: DeployOptions & { readonly bucket: string },
): Promise<void> {
  const place =
    endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`;
  await clients.cloudformation.send(
    new CreateStackCommand({
      StackName: name,
      TemplateURL: `${place}/${templateKey}`,
      Capabilities: ['CAPABILITY_NAMED_IAM'],
      Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
        ParameterKey,
        ParameterValue,
      })),
      // A rollback would take minutes, and with it the reasons. The sweep deletes the stack.
      OnFailure: 'DO_NOTHING',
      // A repetition after a lost answer is the same request.
      ClientRequestToken: name,
    }),
  );
  for (let look = 0; look < looks; look += 1) {
    const { Stacks: [stack] = [] } = await clients.cloudformation.send(
      new DescribeStacksCommand({ StackName: name }),
    );
    if (stack?.StackStatus === 'CREATE_COMPLETE') return;
    if (stack?.StackStatus !== 'CREATE_IN_PROGRESS')
      throw new DeployError(
        [
          `${name} is ${stack?.StackStatus}: ${stack?.StackStatusReason}`,
          ...(await reasonsIn(clients, name)),
        ].join('; '),
      );
    await wait(secondsBetweenLooks);
    signal.throwIfAborted();
  }
  throw new DeployError(`${name} was not made within ${minutesOfStack} minutes`);
}

/** The stack names the resources, and each resource its reason. */
async function reasonsIn(
  { cloudformation: client }: AccountClients,
  StackName: string,
): Promise<readonly string[]> {
  const reasons: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    for (const { LogicalResourceId, ResourceStatus, ResourceStatusReason } of StackResourceSummaries)
      if (ResourceStatus === 'CREATE_FAILED') reasons.push(`${LogicalResourceId}: ${ResourceStatusReason}`);
  return reasons;
}
