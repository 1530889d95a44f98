import type { AutoScalingGroup } from '../groups/group.ts';
import type { HttpCall } from './http-call.ts';
import { ProblemError } from './problem.ts';

type Sizes = Pick<AutoScalingGroup, 'minSize' | 'maxSize' | 'desiredCapacity'>;

/** The entity tag of the group's sizes: it changes when MinSize, MaxSize or DesiredCapacity does, and with nothing else. */
export const sizesTag = ({ minSize, maxSize, desiredCapacity }: Sizes): string =>
  `"${minSize}-${maxSize}-${desiredCapacity}"`;

/**
 * Compares If-Match, if the caller sent it, with the sizes as they are.
 *
 * @throws ProblemError with status 412 if they differ from what the caller saw.
 */
export function checkPrecondition({ headers }: HttpCall, group: Sizes): void {
  const expected = headers['if-match'];
  const current = sizesTag(group);
  if (expected === undefined || expected.trim() === '*') return;
  if (expected.split(',').some((tag) => tag.trim() === current)) return;
  const { minSize, maxSize, desiredCapacity } = group;
  throw new ProblemError({
    code: 'precondition-failed',
    detail: `the group has MinSize ${minSize}, MaxSize ${maxSize} and DesiredCapacity ${desiredCapacity} now: its entity tag is ${current}`,
    headers: { etag: current },
  });
}
