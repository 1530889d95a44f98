import { type PresignedUrl, readPresignedUrl } from './presigned-url.ts';
import { signingTime } from './signing-time.ts';
import { refused, type TokenRefusal } from './token-refusal.ts';
import { urlInToken } from './token-text.ts';

/** A token that may be put to STS, which alone knows whether its signature is right. */
export interface PresignedToken {
  readonly kind: 'presigned';
  /** The parameters, decoded, as they were written. */
  readonly query: Readonly<Record<string, string>>;
  readonly host: string;
  readonly accessKeyId: string;
  /** Epoch milliseconds; the token is good from here to `expiresAt`. */
  readonly signedAt: number;
  readonly expiresAt: number;
}

export interface ReadTokenOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whose endpoints of STS are asked: `aws`, `aws-cn`, ... */
  readonly partition: string;
}

/** A token is good for 15 minutes, whatever its X-Amz-Expires (aws-iam-authenticator, pkg/token). */
const lifetimeMilliseconds = 15 * 60_000;
/** A clock may be this much ahead of ours. STS itself takes 15 minutes. */
const skewMilliseconds = 5 * 60_000;

/** The header in which a token names its cluster. It is signed, so a token for one cluster is worth nothing to another. */
export const clusterHeader = 'x-k8s-aws-id';

/** Checks the text of a token, without asking anybody. Pure. */
export function readToken(token: string, options: ReadTokenOptions): PresignedToken | TokenRefusal {
  const url = urlInToken(token);
  if (typeof url !== 'string') return url;
  const presigned = readPresignedUrl(url, options.partition);
  if ('kind' in presigned) return presigned;
  for (const check of checks) {
    const refusal = check(presigned, options);
    if (refusal) return refusal;
  }
  const { host, parameters, query } = presigned;
  const [accessKeyId = ''] = (parameters.get('x-amz-credential') ?? '').split('/');
  const signedAt = signingTime(parameters.get('x-amz-date')) ?? 0;
  return {
    kind: 'presigned',
    query,
    host,
    accessKeyId,
    signedAt,
    expiresAt: signedAt + lifetimeMilliseconds,
  };
}

type Check = (url: PresignedUrl, options: ReadTokenOptions) => TokenRefusal | undefined;

const is =
  (check: TokenRefusal['check'], name: string, expected: string): Check =>
  ({ parameters }) =>
    parameters.get(name) === expected ? undefined : refused(check, `${name} is not ${expected}`);

const matches =
  (check: TokenRefusal['check'], name: string, pattern: RegExp): Check =>
  ({ parameters }) =>
    pattern.test(parameters.get(name) ?? '') ? undefined : refused(check, `${name} is missing or malformed`);

const checkCredential: Check = ({ parameters, endpoint }) => {
  const parts = /^[A-Z0-9]{16,128}\/(\d{8})\/([a-z0-9-]+)\/sts\/aws4_request$/.exec(
    parameters.get('x-amz-credential') ?? '',
  );
  if (!parts) return refused('credential', 'x-amz-credential is missing or malformed');
  const [, day, region] = parts;
  if (region !== endpoint.region)
    return refused('credential', 'it is signed for another region than that of its host');
  return parameters.get('x-amz-date')?.slice(0, 8) === day
    ? undefined
    : refused('credential', 'it is signed for another day than that of x-amz-date');
};

const checkDate: Check = ({ parameters }, { now }) => {
  const signedAt = signingTime(parameters.get('x-amz-date'));
  if (signedAt === undefined) return refused('date', 'x-amz-date is missing or no time');
  if (now >= signedAt + lifetimeMilliseconds) return refused('date', 'it is older than 15 minutes');
  return signedAt > now + skewMilliseconds ? refused('date', 'it is signed in the future') : undefined;
};

const checkExpires: Check = ({ parameters }) => {
  const text = parameters.get('x-amz-expires') ?? '';
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 900
    ? undefined
    : refused('expires', 'x-amz-expires is not a number of seconds from 0 to 900');
};

/** We send these two and no other, so a token that signs another can never be right. */
const checkSignedHeaders: Check = ({ parameters }) =>
  parameters.get('x-amz-signedheaders')?.toLowerCase() === `host;${clusterHeader}`
    ? undefined
    : refused('signed-headers', `it does not sign just host and ${clusterHeader}`);

const checkSecurityToken: Check = ({ parameters }) => {
  const text = parameters.get('x-amz-security-token');
  return text === undefined || /^[A-Za-z0-9+/]+={0,2}$/.test(text)
    ? undefined
    : refused('security-token', 'x-amz-security-token is malformed');
};

const checks: readonly Check[] = [
  is('action', 'action', 'GetCallerIdentity'),
  is('version', 'version', '2011-06-15'),
  is('algorithm', 'x-amz-algorithm', 'AWS4-HMAC-SHA256'),
  checkCredential,
  checkDate,
  checkExpires,
  checkSignedHeaders,
  matches('signature', 'x-amz-signature', /^[0-9a-f]{64}$/),
  checkSecurityToken,
];
