import type * as z from 'zod/mini';

const shownIssues = 3;

/** What a schema found wrong, by field; values are never repeated, for one may be a secret. */
export function describeIssues(error: z.core.$ZodError): string {
  const shown = error.issues.slice(0, shownIssues).map((issue) => `${fieldOf(issue)}: ${wordsOf(issue)}`);
  const rest = error.issues.length - shown.length;
  return rest > 0 ? `${shown.join('; ')}; and ${rest} more` : shown.join('; ');
}

export const fieldOf = (issue: z.core.$ZodIssue): string => issue.path.map(String).join('.') || '(the whole)';

/** In words of our own: zod/mini carries no language, and its messages could carry input. */
export function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`;
  if (issue.code === 'invalid_value') return `expected one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small') return `shorter or smaller than ${issue.minimum}`;
  if (issue.code === 'too_big') return `longer or larger than ${issue.maximum}`;
  if (issue.code === 'invalid_format') return `not in the format ${issue.format}`;
  // The text of a rule of ours, which is fixed.
  if (issue.code === 'custom' && issue.message !== 'Invalid input') return issue.message;
  return 'not as expected';
}
