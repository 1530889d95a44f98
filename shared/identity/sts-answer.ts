import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import { readCallerArn } from './arn.ts';
import { refused, type TokenRefusal } from './read-token.ts';

/** The IAM identity that made a token, from the answer of STS. */
export interface Identity {
  /** As STS wrote it. */
  readonly arn: string;
  /** The ARN that mappings name: for a session of a role, the ARN of the role. */
  readonly canonicalArn: string;
  readonly accountId: string;
  /** The unique id of the user or role: it changes if a user or role with the same name is created again. */
  readonly principalId: string;
  /** The name of a session of a role; otherwise empty. */
  readonly sessionName: string;
  readonly accessKeyId: string;
}

const answerSchema = lazily(() =>
  z.object({
    GetCallerIdentityResponse: z.object({
      GetCallerIdentityResult: z.object({
        Account: z.string().check(z.regex(/^\d{12}$/)),
        Arn: z.string().check(z.maxLength(2048)),
        UserId: z.string().check(z.regex(/^[\x21-\x7e]{1,256}$/)),
      }),
    }),
  }),
);

/**
 * - `identity`: STS has accepted the signature;
 * - `refused`: STS has refused the signature, or its response names no identity;
 * - `unavailable`: the response says nothing about the token, and the caller may retry. `isThrottled`: retry later.
 */
export type StsVerdict =
  | { readonly kind: 'identity'; readonly identity: Identity }
  | TokenRefusal
  | { readonly kind: 'unavailable'; readonly reason: string; readonly isThrottled: boolean };

/** Reads the response of STS to a presigned GetCallerIdentity. Pure. */
export function readStsAnswer(
  { status, body }: { readonly status: number; readonly body: string },
  accessKeyId: string,
): StsVerdict {
  if (status === 429 || (status !== 200 && /Throttling|RequestLimitExceeded|SlowDown/.test(errorOf(body))))
    return { kind: 'unavailable', reason: 'STS throttled the request', isThrottled: true };
  if (status === 200) return readIdentity(body, accessKeyId);
  if (status >= 400 && status < 500 && parseJson(body) !== undefined)
    return refused('sts', `STS does not accept it (${status})${whyRefused(body)}`);
  return { kind: 'unavailable', reason: `STS answered ${status}`, isThrottled: false };
}

const errorSchema = lazily(() => z.object({ Error: z.object({ Code: z.string() }) }));

/** The code of an error, because its message may quote the request, and the caller chose its words. The whole of a text that STS did not write. */
function errorOf(body: string): string {
  const parsed = errorSchema().safeParse(parseJson(body));
  return parsed.success ? parsed.data.Error.Code : body;
}

/** By the errors of STS, without a part of its message, which quotes the request. */
function whyRefused(body: string): string {
  if (/Signature (?:expired|not yet current)/.test(body))
    return ': check the clock of the machine that made it';
  if (/"ExpiredToken(?:Exception)?"/.test(body)) return ': the credentials that made it have expired';
  return /"InvalidClientTokenId"/.test(body) ? ': its access key is inactive or deleted' : '';
}

function readIdentity(body: string, accessKeyId: string): StsVerdict {
  const parsed = answerSchema().safeParse(parseJson(body));
  if (!parsed.success)
    return {
      kind: 'unavailable',
      reason: 'STS answered 200 without an identity',
      isThrottled: false,
    };
  const { Account, Arn, UserId } = parsed.data.GetCallerIdentityResponse.GetCallerIdentityResult;
  const caller = readCallerArn(Arn);
  if (caller === undefined) return refused('identity', 'the ARN does not name a user, role or account');
  if (caller.accountId !== Account)
    return refused('identity', 'the ARN names a different account than the answer');
  const [principalId = '', session] = caller.sessionName === undefined ? [UserId] : UserId.split(':', 2);
  if (caller.sessionName !== undefined && UserId !== `${principalId}:${caller.sessionName}`)
    return refused('identity', 'the id of the session does not match its ARN');
  return {
    kind: 'identity',
    identity: {
      arn: Arn,
      canonicalArn: caller.canonicalArn,
      accountId: Account,
      principalId,
      sessionName: session ?? '',
      accessKeyId,
    },
  };
}
