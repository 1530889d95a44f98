import { describe, expect, it } from 'vitest';
import { GroupsError, type GroupsErrorCode } from '../../../shared/capacity/groups.ts';
import {
  ProblemError,
  problemResult,
  toErrorOfChange,
  toProblem,
} from '../../../shared/scale-api/problem.ts';

describe('a refusal of Auto Scaling', () => {
  it.each([
    ['busy', 409, 'group-busy', '30'],
    ['throttled', 503, 'throttled', '5'],
    ['unavailable', 503, 'unavailable', '5'],
    ['gone', 404, 'group-not-found', undefined],
    ['invalid', 422, 'capacity-out-of-bounds', undefined],
    ['denied', 500, 'not-permitted', undefined],
  ] satisfies [GroupsErrorCode, number, string, string | undefined][])(
    'of kind %s becomes %d %s, with Retry-After if a retry may help',
    (code, status, name, retryAfter) => {
      const problem = toProblem(new GroupsError(code, 'why'));
      expect(problem.problem).toMatchObject({
        status,
        type: `https://drover.dev/problems/${name}`,
        detail: 'why',
      });
      expect(problem.headers['retry-after']).toBe(retryAfter);
      expect(problem.cause).toBeInstanceOf(GroupsError);
    },
  );
});

describe('the error of a change', () => {
  it('says that the change may have been made, only if AWS did not respond', () => {
    const unanswered = new GroupsError('unavailable', 'EKS does not answer');
    const problem = toProblem(toErrorOfChange(unanswered));
    expect(problem.problem.detail).toMatch(/^EKS does not answer; the change may or may not have been made/);
    expect(problem).toMatchObject({ cause: unanswered, headers: { 'retry-after': '5' } });
    const refused = new GroupsError('gone', 'the group is not there any more');
    expect(toErrorOfChange(refused)).toBe(refused);
    expect(toProblem(unanswered).problem.detail).toBe('EKS does not answer');
  });
});

describe('any other failure', () => {
  it('becomes an internal problem without its message', () => {
    const cause = new Error('password=secret');
    const problem = toProblem(cause);
    expect(problem.problem.status).toBe(500);
    expect(problemResult(problem).body).not.toContain('secret');
    expect(problem.cause).toBe(cause);
  });
});

describe('a problem', () => {
  const errors = [{ pointer: '/desiredCapacity', detail: 'too many' }];

  it('is returned unchanged', () => {
    const problem = new ProblemError({ code: 'invalid-body', detail: 'no', errors });
    expect(toProblem(problem)).toBe(problem);
  });

  it('is a document of RFC 9457 with no-store', () => {
    const headers = { 'retry-after': '5' };
    const result = problemResult(new ProblemError({ code: 'invalid-body', detail: 'no', errors, headers }));
    expect(result).toMatchObject({
      statusCode: 422,
      headers: {
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'retry-after': '5',
      },
    });
    expect(JSON.parse(result.body ?? '')).toEqual({
      type: 'https://drover.dev/problems/invalid-body',
      status: 422,
      title: 'The body is not valid',
      detail: 'no',
      errors,
    });
  });

  it('without wrong fields has no errors', () => {
    expect(new ProblemError({ code: 'not-found', detail: 'no' }).problem).not.toHaveProperty('errors');
  });
});
