import type { Subjects } from './subjects.ts';

/** The fields of Drover's lines that name what a line concerns. */
export const subjectFields = ['subject', 'instanceId', 'node', 'group', 'autoScalingGroupName'] as const;

/** "The maximum length of a filter pattern is 1024 characters" (API reference of FilterLogEvents). */
const longestPattern = 1024;

const wanted = [
  '$.message = "pass"',
  '$.message = "intake"',
  '$.message = "certificate request *"',
  '$.message = "change made"',
  '$.message = "bootstrap credential: *"',
  '$.made[0] = "*"',
  '$.level = "warn"',
  '$.level = "error"',
].join(' || ');

/**
 * The filter pattern for CloudWatch Logs: the lines of interest, and those of the subjects if they fit. It may match more than is wanted: an asterisk
 * in a name matches anything, and lines of intake have their subjects in lists. Lines are judged again when they are read.
 */
export function filterPattern(subjects: Subjects): string {
  const general = `{ ${wanted} }`;
  if (subjects === undefined || [...subjects].some((subject) => /["\\]/.test(subject))) return general;
  const named = [...subjects].flatMap((subject) => subjectFields.map((field) => `$.${field} = "${subject}"`));
  const narrow = `{ $.message = "intake" || ${named.join(' || ')} }`;
  return narrow.length <= longestPattern && named.length > 0 ? narrow : general;
}
