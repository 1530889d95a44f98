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

/** Meets the first calls of each kind, or of this one, that the function `roll` makes with a fault. */
export function strikeFirst(times: number, fault: (call: CallInFlight) => Strike, only?: string) {
  const struck = new Map<string, number>();
  return {
    kinds: (): readonly string[] => [...struck.keys()],
    strike: (call: CallInFlight): Strike | undefined => {
      const kind = kindOf(call);
      const before = struck.get(kind) ?? 0;
      if (call.caller !== 'roll' || before === times || (only ?? kind) !== kind) return undefined;
      struck.set(kind, before + 1);
      return fault(call);
    },
  };
}
