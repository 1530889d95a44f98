import type { AutoScalingGroup } from '../groups/group.ts';
import type { HttpCall } from './http-call.ts';
import { ProblemError } from './problem.ts';

type Sizes = Pick<AutoScalingGroup, 'minSize' | 'maxSize' | 'desiredCapacity'>;

/** The entity tag of the group's sizes: it changes if and only if MinSize, MaxSize or DesiredCapacity changes. */
export const sizesTag = ({ minSize, maxSize, desiredCapacity }: Sizes): string =>
  `"${minSize}-${maxSize}-${desiredCapacity}"`;

/**
 * Compares If-Match, if the caller sent it, with the current sizes.
 *
 * @throws ProblemError with status 412 if they differ.
 */
export function checkPrecondition({ headers }: HttpCall, group: Sizes): void {
  const expected = headers['if-match'];
  const current = sizesTag(group);
  if (expected === undefined || expected.trim() === '*') return;
  if (expected.split(',').some((tag) => tag.trim() === current)) return;
  const { minSize, maxSize, desiredCapacity } = group;
  throw new ProblemError({
    code: 'precondition-failed',
    detail: `the group now has MinSize ${minSize}, MaxSize ${maxSize} and DesiredCapacity ${desiredCapacity}: its entity tag is ${current}`,
    headers: { etag: current },
  });
}
