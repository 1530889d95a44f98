import { type StsHost, stsHosts } from './sts-hosts.ts';

/** A token that may be sent to STS. Only STS can check its signature. */
export interface PresignedToken {
  readonly kind: 'presigned';
  /** The decoded parameters, with their names as signed. */
  readonly query: Readonly<Record<string, string>>;
  readonly host: string;
  readonly accessKeyId: string;
  /** Epoch milliseconds. The token is valid from this time to `expiresAt`. */
  readonly signedAt: number;
  readonly expiresAt: number;
}

export interface ReadTokenOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The partition whose STS endpoints are called: `aws`, `aws-cn`, ... */
  readonly partition: string;
}

/** A token is valid for 15 minutes, whatever its X-Amz-Expires (aws-iam-authenticator, pkg/token). */
const lifetimeMilliseconds = 15 * 60_000;
/** How much the clock of the signer may be ahead of ours. STS itself allows 15 minutes. */
const skewMilliseconds = 5 * 60_000;

/** The header in which a token names its cluster. It is signed, so a token for one cluster is not valid for another. */
export const clusterHeader = 'x-k8s-aws-id';

/** Checks the text of a token without a call. Pure. */
export function readToken(token: string, options: ReadTokenOptions): PresignedToken | TokenRefusal {
  const url = urlInToken(token);
  if (typeof url !== 'string') return url;
  const presigned = readPresignedUrl(url, options.partition);
  if ('kind' in presigned) return presigned;
  for (const check of checks()) {
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
    return refused('credential', 'it is signed for a region other than that of its host');
  return parameters.get('x-amz-date')?.slice(0, 8) === day
    ? undefined
    : refused('credential', 'it is signed for a day other than that of x-amz-date');
};

const checkDate: Check = ({ parameters }, { now }) => {
  const signedAt = signingTime(parameters.get('x-amz-date'));
  if (signedAt === undefined) return refused('date', 'x-amz-date is missing or not a time');
  if (now >= signedAt + lifetimeMilliseconds) return refused('date', 'it is older than 15 minutes');
  return signedAt > now + skewMilliseconds ? refused('date', 'it is signed in the future') : undefined;
};

const checkExpires: Check = ({ parameters }) => {
  const text = parameters.get('x-amz-expires') ?? '';
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 900
    ? undefined
    : refused('expires', 'x-amz-expires is not a number of seconds from 0 to 900');
};

/** We send only these two headers, so a token that signs another header can never be valid. */
const checkSignedHeaders: Check = ({ parameters }) =>
  parameters.get('x-amz-signedheaders')?.toLowerCase() === `host;${clusterHeader}`
    ? undefined
    : refused('signed-headers', `it does not sign exactly host and ${clusterHeader}`);

const checkSecurityToken: Check = ({ parameters }) => {
  const text = parameters.get('x-amz-security-token');
  return text === undefined || /^[A-Za-z0-9+/]+={0,2}$/.test(text)
    ? undefined
    : refused('security-token', 'x-amz-security-token is malformed');
};

/** Made by a function, so that a bundle which needs only the prefix of tokens leaves the checks out. */
const checks = (): readonly Check[] => [
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

export const tokenPrefix = 'k8s-aws-v1.';

/** As in aws-iam-authenticator (pkg/token): a longer token is refused before it is decoded. */
export const mostTokenBytes = 4096;

/**
 * The URL in the text of a token. Node's own decoder accepts padding, line breaks and unused bits. So the text is checked first, and a token has
 * only one spelling.
 */
export function urlInToken(token: string): string | TokenRefusal {
  // A character has at least one byte.
  if (token.length > mostTokenBytes) return refused('length', `it has more than ${mostTokenBytes} bytes`);
  if (!token.startsWith(tokenPrefix)) return refused('prefix', `it does not begin with ${tokenPrefix}`);
  const encoded = token.slice(tokenPrefix.length);
  if (!/^[\w-]+$/.test(encoded)) return refused('encoding', 'it is not base64url without padding');
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.toString('base64url') !== encoded)
    return refused('encoding', 'its base64url ends in unused bits');
  const url = bytes.toString('latin1');
  return /^[\x21-\x7e]+$/.test(url) ? url : refused('url', 'it has characters that are not allowed in a URL');
}

/** The parts of the URL of a presigned request. */
export interface PresignedUrl {
  readonly host: string;
  readonly endpoint: StsHost;
  /** Decoded, by their names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The same parameters by their names as signed. */
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Parses a URL as text. `URL` and `URLSearchParams` normalise what they read: the default port, a host in upper case, `/a/../`, a missing path, a
 * single percent sign. Their result is not what would be sent to STS.
 */
export function readPresignedUrl(url: string, partition: string): PresignedUrl | TokenRefusal {
  const parts = /^https:\/\/([^/?#]*)((?:\/[^?#]*)?)\?([^#]*)$/.exec(url);
  if (!parts) return refused('url', 'it is not an https URL with a query and without a fragment');
  const [, host = '', path, query = ''] = parts;
  const endpoint = stsHosts.get(host);
  if (endpoint === undefined) return refused('host', 'its host is not an endpoint of AWS STS');
  if (endpoint.partition !== partition)
    return refused('host', `its host is not an endpoint of the partition ${partition}`);
  if (path !== '/') return refused('path', 'its path is not /');
  const parameters = readParameters(query);
  return 'kind' in parameters ? parameters : { host, endpoint, ...parameters };
}

const known = new Set([
  'action',
  'version',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-security-token',
  'x-amz-signature',
  'x-amz-signedheaders',
]);

function readParameters(text: string): Pick<PresignedUrl, 'parameters' | 'query'> | TokenRefusal {
  const parameters = new Map<string, string>();
  const query: Record<string, string> = {};
  for (const pair of text.split('&')) {
    const parsed = /^([A-Za-z-]+)=((?:[\w.~:/=-]|%[0-9A-Fa-f]{2})+)$/.exec(pair);
    if (!parsed) return refused('parameters', 'its query has a part that is not name=value');
    const [, written = '', encoded = ''] = parsed;
    const name = written.toLowerCase();
    if (!known.has(name))
      return refused('parameters', 'its query has a parameter that a presigned request of STS does not have');
    if (parameters.has(name)) return refused('parameters', `its query has two values of ${name}`);
    const value = decoded(encoded);
    if (value === undefined)
      return refused('parameters', `the value of ${name} has characters that are not allowed`);
    parameters.set(name, value);
    query[written] = value;
  }
  return { parameters, query };
}

/** Each value of a presigned request is printable ASCII without spaces. */
function decoded(encoded: string): string | undefined {
  const text = encoded.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}

const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Epoch milliseconds of a time in the format of signatures, `20261123T080000Z`; undefined for any other text and for impossible dates. */
export function signingTime(text: string | undefined): number | undefined {
  const parts = form.exec(text ?? '');
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = Date.parse(iso);
  // Date.parse turns 30 February into 2 March.
  return Number.isNaN(time) || new Date(time).toISOString() !== iso ? undefined : time;
}

/** The checks of a token, in this order. `sts` and `identity` are checks of the response of STS. */
export const tokenChecks = [
  'length',
  'prefix',
  'encoding',
  'url',
  'host',
  'path',
  'parameters',
  'action',
  'version',
  'algorithm',
  'credential',
  'date',
  'expires',
  'signed-headers',
  'signature',
  'security-token',
  'sts',
  'identity',
] as const;

export type TokenCheck = (typeof tokenChecks)[number];

/** Why a token is not accepted. The reason never quotes the token, because anyone who has a valid token can log in with it. */
export interface TokenRefusal {
  readonly kind: 'refused';
  readonly check: TokenCheck;
  readonly reason: string;
}

export const refused = (check: TokenCheck, reason: string): TokenRefusal => ({
  kind: 'refused',
  check,
  reason,
});
