import {
  DeleteStackCommand,
  DescribeStacksCommand,
  paginateDescribeStacks,
} from '@aws-sdk/client-cloudformation';
import { DeleteLogGroupCommand, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import {
  DeleteBucketCommand,
  DeleteObjectsCommand,
  paginateListBuckets,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import type { AccountClients } from './clients.ts';
import { collect, type Kind, unlessGone } from './kind.ts';
import { isNameIn, prefixOf } from './mark.ts';

/** AWS has tried to delete a stack, and could not. */
class StackNotDeleted extends Error {
  override readonly name = 'StackNotDeleted';
}

/**
 * Also one that is still made, or that could not be deleted: then it is asked for again, and the reason is shown
 * (https://github.com/eksctl-io/eksctl/issues/253).
 */
async function removeStack({ cloudformation }: AccountClients, StackName: string): Promise<void> {
  const { Stacks: [stack] = [] } = await cloudformation.send(new DescribeStacksCommand({ StackName }));
  if (stack?.StackStatus === 'DELETE_IN_PROGRESS') return;
  await cloudformation.send(new DeleteStackCommand({ StackName }));
  if (stack?.StackStatus === 'DELETE_FAILED')
    throw new StackNotDeleted(stack.StackStatusReason ?? 'CloudFormation gives no reason');
}

/** Deleted ones are not listed. What the template retains has names that begin with that of the stack. */
export const stackKind: Kind = {
  name: 'stack',
  list: ({ cloudformation: client }, scope) =>
    collect(paginateDescribeStacks({ client }, {}), ({ Stacks }) =>
      Stacks?.map(({ StackName }) => StackName).filter((name) => isNameIn(scope, name)),
    ),
  remove: (clients, id) => unlessGone(removeStack(clients, id)),
};

/** Buckets are global: those of another region may be of a run that is in progress there. */
export const bucketKind: Kind = {
  name: 'bucket',
  list: async ({ s3: client }, scope) => {
    const region = await client.config.region();
    const input = { Prefix: prefixOf(scope), BucketRegion: region };
    return await collect(paginateListBuckets({ client }, input), ({ Buckets }) =>
      Buckets?.filter(
        ({ Name, BucketRegion = region }) => BucketRegion === region && isNameIn(scope, Name),
      ).map(({ Name }) => Name),
    );
  },
  remove: (clients, id) => unlessGone(removeBucket(clients, id)),
};

/** S3 deletes a bucket once it is empty. The buckets of a run have no versions. */
async function removeBucket({ s3: client }: AccountClients, Bucket: string): Promise<void> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    const Objects = Contents.map(({ Key }) => ({ Key }));
    if (Objects.length > 0) await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  }
  await client.send(new DeleteBucketCommand({ Bucket }));
}

/** Where functions and HTTP APIs of a stack write. */
const folders = ['/aws/lambda/', '/aws/vendedlogs/http-api/'];

/** A function that ran until its stack was deleted may have its group made again (https://github.com/pulumi/pulumi-cloud/issues/402). */
export const logGroupKind: Kind = {
  name: 'log group',
  heldBy: ['stack'],
  list: async ({ logs: client }, scope) => {
    const names = await Promise.all(
      folders.map((folder) =>
        collect(
          paginateDescribeLogGroups({ client }, { logGroupNamePrefix: `${folder}${prefixOf(scope)}` }),
          ({ logGroups }) => logGroups?.map(({ logGroupName }) => logGroupName),
        ),
      ),
    );
    return names.flat().filter((name) => isNameIn(scope, name.split('/').at(-1)));
  },
  remove: ({ logs }, id) => unlessGone(logs.send(new DeleteLogGroupCommand({ logGroupName: id }))),
};
