import type {
  CreateOrUpdateTagsType,
  DeleteTagsType,
  DescribeTagsType,
  Tag,
  TagDescription,
} from '@aws-sdk/client-auto-scaling';
import { groupBy } from '../../simulation/group-by.ts';
import { page, pageSize } from '../paging.ts';
import { autoScalingErrors } from './errors.ts';
import { keepTags } from './filters.ts';
import type { Group, GroupTag } from './model.ts';
import { required } from './validation.ts';
import { type AutoScalingWorld, findGroup } from './world.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-tagging.html */
const limits = { tags: 50, keyLength: 128, valueLength: 256 };

export const tagOperations = (world: AutoScalingWorld) => ({
  CreateOrUpdateTags: (input: CreateOrUpdateTagsType): Record<string, never> => {
    const tags = required(input.Tags, 'tags');
    const byGroup = groupBy(tags, ({ ResourceId }) => findGroup(world, ResourceId));
    for (const [group, itsTags] of byGroup) setTags(group, itsTags);
    return {};
  },
  DeleteTags: (input: DeleteTagsType): Record<string, never> => {
    for (const { ResourceId, Key = '' } of required(input.Tags, 'tags'))
      findGroup(world, ResourceId).tags.delete(Key);
    return {};
  },
  DescribeTags: (input: DescribeTagsType) => {
    const all = [...world.groups.values()].flatMap((group) => tagsOf(group));
    const { items, nextToken } = page(keepTags(all, input.Filters), {
      nextToken: input.NextToken,
      size: pageSize(input.MaxRecords, { default: 50, maximum: 100 }),
      invalidToken: autoScalingErrors.invalidNextToken,
    });
    return { Tags: items, NextToken: nextToken };
  },
});

/** All of them or, if one is not allowed, none. */
export function setTags(group: Group, tags: readonly Tag[]): void {
  const wanted = tags.map(checked);
  const keys = new Set([...group.tags.keys(), ...wanted.map(({ key }) => key)]);
  if (keys.size > limits.tags) {
    throw autoScalingErrors.limitExceeded(`Group '${group.name}' cannot have more than ${limits.tags} tags`);
  }
  for (const tag of wanted) group.tags.set(tag.key, tag);
}

function checked({ Key, Value = '', PropagateAtLaunch = false }: Tag): GroupTag {
  const key = required(Key, 'tags.member.key');
  if (key.length === 0 || key.length > limits.keyLength || Value.length > limits.valueLength) {
    throw autoScalingErrors.validation(
      `Tag key must have 1 to ${limits.keyLength} characters and its value at most ${limits.valueLength}: ${key}`,
    );
  }
  if (key.startsWith('aws:'))
    throw autoScalingErrors.validation('Tag keys that start with aws: are reserved');
  return { key, value: Value, propagateAtLaunch: PropagateAtLaunch };
}

export const tagsOf = (group: Group): TagDescription[] =>
  [...group.tags.values()].map((tag) => ({
    ResourceId: group.name,
    ResourceType: 'auto-scaling-group',
    Key: tag.key,
    Value: tag.value,
    PropagateAtLaunch: tag.propagateAtLaunch,
  }));
