import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { forbiddenByRbac } from '@drover/cloud-sandbox/kubernetes';

const awsError = (code: string, message: string): Strike => ({
  kind: 'aws-error',
  error: new AwsError({ code, message, statusCode: 400 }),
});

const denied = ({ to, what }: CallInFlight): Strike =>
  to === 'kubernetes'
    ? forbiddenByRbac({ what, username: 'drover:roller' })
    : awsError('AccessDeniedException', 'not authorized');

const throttled = ({ to }: CallInFlight): Strike =>
  to === 'kubernetes'
    ? { kind: 'http-answer', status: 429, headers: { 'retry-after': '1' }, body: '{}' }
    : awsError('Throttling', 'Rate exceeded');

/** What a call of a pass may meet, by what becomes of the call. */
export const callFaults: Readonly<Record<string, (call: CallInFlight) => Strike>> = {
  'is not answered': () => ({ kind: 'hang-before' }),
  'is carried out, and not answered': () => ({ kind: 'hang-after' }),
  'is carried out, and sent again': () => ({ kind: 'fail-after' }),
  'is denied': denied,
  'is refused for its rate': throttled,
};

/** What a call does, whatever object it is about. */
export const kindOf = ({ what }: CallInFlight): string =>
  what.replace(/\?.*/, '').replace(/(nodes|namespaces)\/[^/]+/, '$1/*');

/** Meets the first calls of each kind that the function `roll` makes with a fault. */
export function strikeFirst(times: number, fault: (call: CallInFlight) => Strike) {
  const struck = new Map<string, number>();
  return {
    kinds: (): readonly string[] => [...struck.keys()],
    strike: (call: CallInFlight): Strike | undefined => {
      const kind = kindOf(call);
      const before = struck.get(kind) ?? 0;
      if (call.caller !== 'roll' || before === times) return undefined;
      struck.set(kind, before + 1);
      return fault(call);
    },
  };
}

/** The first call of a pass. */
const isFirst = ({ what }: CallInFlight): boolean => what === 'ssm GetParametersByPath';

/**
 * Kills the function `roll` in every third of its passes, each in another call: the first in its call number `offset`, the next of them in the
 * call after. A pass that has fewer calls ends. The lives of `passLength` offsets are killed in each call of each kind of pass.
 */
export function killDiagonally(offset: number, passLength: number) {
  let passes = -1;
  let calls = 0;
  const killed: string[] = [];
  return {
    killed: (): readonly string[] => killed,
    strike: (call: CallInFlight): Strike | undefined => {
      if (call.caller !== 'roll') return undefined;
      if (isFirst(call)) {
        passes += 1;
        calls = 0;
      }
      calls += 1;
      const turn = passes - (offset % 3);
      if (turn % 3 !== 0 || calls !== ((turn / 3 + offset) % passLength) + 1) return undefined;
      killed.push(kindOf(call));
      return { kind: 'kill-after' };
    },
  };
}
