import type {
  CreateTagsRequest,
  DeleteTagsRequest,
  DescribeTagsRequest,
  DescribeTagsResult,
  ResourceType,
} from '@aws-sdk/client-ec2';
import { page, pageSize } from '../paging.ts';
import type { Past } from '../past.ts';
import type { CallContext } from '../service.ts';
import { ec2Errors } from './errors.ts';
import { type FilterFields, keep } from './filters.ts';
import { findInstances, visibleInstances } from './lifecycle.ts';
import type { Ec2World } from './model.ts';

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html */
const maximumTags = 50;

interface TagRow {
  readonly resourceId: string;
  readonly resourceType: ResourceType;
  readonly key: string;
  readonly value: string;
}

const filterFields: FilterFields<TagRow> = {
  'resource-id': (row) => [row.resourceId],
  'resource-type': (row) => [row.resourceType],
  key: (row) => [row.key],
  value: (row) => [row.value],
};

/** Tags of instances, launch templates, VPCs and subnets. */
export const tagOperations = (world: Ec2World, past: Past<Ec2World>) => ({
  CreateTags: ({ Resources, Tags }: CreateTagsRequest): Record<string, never> => {
    const targets = (Resources ?? []).map((id) => [id, tagsOf(world, id)] as const);
    for (const [id, tags] of targets) {
      for (const { Key = '', Value = '' } of Tags ?? []) setTag({ id, tags }, Key, Value);
    }
    return {};
  },
  DeleteTags: ({ Resources, Tags }: DeleteTagsRequest): Record<string, never> => {
    for (const id of Resources ?? []) removeTags(tagsOf(world, id), Tags);
    return {};
  },
  DescribeTags: (input: DescribeTagsRequest, call?: Pick<CallContext, 'staleSeconds'>) =>
    describeTags(past.ago(call?.staleSeconds) ?? world, input),
});

function setTag(resource: { id: string; tags: Map<string, string> }, key: string, value: string): void {
  if (key.startsWith('aws:')) {
    throw ec2Errors.invalidParameter('Tag keys starting with aws: are reserved for internal use');
  }
  const customers = [...resource.tags.keys()].filter((existing) => !existing.startsWith('aws:'));
  if (!resource.tags.has(key) && customers.length >= maximumTags)
    throw ec2Errors.tagLimitExceeded(resource.id);
  resource.tags.set(key, value);
}

/** A tag with a value goes only if it has that value; no tags at all: every tag of the customer goes. */
function removeTags(tags: Map<string, string>, wanted: DeleteTagsRequest['Tags']): void {
  const customers = [...tags.keys()].filter((key) => !key.startsWith('aws:'));
  const keys: NonNullable<DeleteTagsRequest['Tags']> = wanted ?? customers.map((Key) => ({ Key }));
  for (const { Key = '', Value } of keys) {
    if (Value === undefined || tags.get(Key) === Value) tags.delete(Key);
  }
}

function tagsOf(world: Ec2World, id: string): Map<string, string> {
  if (id.startsWith('i-')) {
    const [instance] = findInstances(world, [id]);
    if (instance !== undefined) return instance.tags;
  }
  const tags =
    world.launchTemplates.get(id)?.tags ?? networkTags(world).find((one) => one.resourceId === id)?.tags;
  if (tags === undefined) throw ec2Errors.resourceNotFound(id);
  return tags;
}

function describeTags(world: Ec2World, input: DescribeTagsRequest): DescribeTagsResult {
  const { items, nextToken } = page(keep(allTags(world), input.Filters, filterFields), {
    nextToken: input.NextToken,
    size: pageSize(input.MaxResults, { default: 1000, maximum: 1000 }),
    invalidToken: ec2Errors.invalidNextToken,
  });
  const tags = items.map(({ resourceId, resourceType, key, value }) => ({
    ResourceId: resourceId,
    ResourceType: resourceType,
    Key: key,
    Value: value,
  }));
  return { Tags: tags, NextToken: nextToken };
}

function allTags(world: Ec2World): TagRow[] {
  const instances = visibleInstances(world).flatMap(({ instanceId, tags }) =>
    rows(instanceId, 'instance', tags),
  );
  const templates = [...world.launchTemplates.values()].flatMap(({ id, tags }) =>
    rows(id, 'launch-template', tags),
  );
  const network = networkTags(world).flatMap(({ resourceId, resourceType, tags }) =>
    rows(resourceId, resourceType, tags),
  );
  return [...instances, ...templates, ...network];
}

const networkTags = ({ network }: Ec2World) =>
  network.vpcs.flatMap(({ vpcId, tags, subnets }) => [
    { resourceId: vpcId, resourceType: 'vpc' as const, tags },
    ...subnets.map((subnet) => ({
      resourceId: subnet.subnetId,
      resourceType: 'subnet' as const,
      tags: subnet.tags,
    })),
  ]);

const rows = (resourceId: string, resourceType: ResourceType, tags: ReadonlyMap<string, string>): TagRow[] =>
  [...tags].map(([key, value]) => ({ resourceId, resourceType, key, value }));
