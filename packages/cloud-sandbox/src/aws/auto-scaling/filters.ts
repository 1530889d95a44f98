import type { Filter, TagDescription } from '@aws-sdk/client-auto-scaling';
import { autoScalingErrors } from './errors.ts';
import type { Group } from './model.ts';

/** Filters of DescribeTags: every filter must hold, a filter's values are alternatives. */
export function keepTags(tags: readonly TagDescription[], filters: Filter[] | undefined): TagDescription[] {
  const tests = (filters ?? []).map(tagTest);
  return tags.filter((tag) => tests.every((test) => test(tag)));
}

const tagFields: Readonly<Record<string, (tag: TagDescription) => string | undefined>> = {
  'auto-scaling-group': (tag) => tag.ResourceId,
  key: (tag) => tag.Key,
  value: (tag) => tag.Value,
  'propagate-at-launch': (tag) => String(tag.PropagateAtLaunch),
};

function tagTest({ Name: name = '', Values = [] }: Filter): (tag: TagDescription) => boolean {
  const read = tagFields[name];
  if (read === undefined) throw unknown(name);
  const wanted = new Set(Values);
  return (tag) => wanted.has(read(tag) ?? '');
}

/**
 * Filters of DescribeAutoScalingGroups: `tag-key`, `tag-value`, `tag:KEY`.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_Filter.html
 */
export function keepGroups(groups: readonly Group[], filters: Filter[] | undefined): Group[] {
  const tests = (filters ?? []).map(groupTest);
  return groups.filter((group) => tests.every((test) => test(group)));
}

function groupTest({ Name: name = '', Values = [] }: Filter): (group: Group) => boolean {
  const wanted = new Set(Values);
  if (name === 'tag-key') return ({ tags }) => Values.some((key) => tags.has(key));
  if (name === 'tag-value') return ({ tags }) => [...tags.values()].some(({ value }) => wanted.has(value));
  if (!name.startsWith('tag:')) throw unknown(name);
  return ({ tags }) => {
    const tag = tags.get(name.slice(4));
    return tag !== undefined && wanted.has(tag.value);
  };
}

const unknown = (name: string): Error =>
  autoScalingErrors.validation(`Filter type ${name} is not correct. Please use another filter type.`);
