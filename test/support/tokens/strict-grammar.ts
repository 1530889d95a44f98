import { stsHosts } from '../../../shared/identity/sts-hosts.ts';

/**
 * What is wrong with a token at a time, by Node's own readers, which must find each part as they would write it. It shares no code with the
 * verifier but the list of hosts. Returns undefined if the token is valid.
 */
export function faultOfToken(token: string, now: number): string | undefined {
  const [prefix, version, encoded, ...rest] = token.split(/[-.](?=v1)|(?<=v1)\./);
  if (`${prefix}-${version}.` !== 'k8s-aws-v1.' || encoded === undefined || rest.length > 0) return 'prefix';
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.toString('base64url') !== encoded) return 'another spelling in base64url';
  return token.length > 4096 ? 'length' : faultOfUrl(bytes.toString('latin1'), now);
}

/** The same for the URL in a token. */
export function faultOfUrl(text: string, now: number): string | undefined {
  const parsed = URL.parse(text);
  if (parsed?.href !== text) return 'another spelling';
  if (parsed.protocol !== 'https:' || parsed.port !== '' || parsed.hash !== '')
    return 'scheme, port or fragment';
  if (parsed.username !== '' || parsed.password !== '' || parsed.pathname !== '/') return 'user or path';
  const host = stsHosts.get(parsed.hostname);
  if (host?.partition !== 'aws') return 'host';
  const names = [...parsed.searchParams.keys()].map((name) => name.toLowerCase());
  if (new Set(names).size !== names.length) return 'a name twice';
  const values = Object.fromEntries(
    [...parsed.searchParams].map(([name, value]) => [name.toLowerCase(), value]),
  );
  const wrong = Object.entries(rules).find(([name, rule]) => !rule.test(values[name] ?? ''));
  if (wrong) return wrong[0];
  return names.every((name) => name in rules)
    ? faultOfScope(values, { region: host.region, now })
    : 'unknown name';
}

function faultOfScope(
  values: Readonly<Record<string, string>>,
  { region, now }: { readonly region: string; readonly now: number },
): string | undefined {
  const [, day, ofRegion] = (values['x-amz-credential'] ?? '').split('/');
  const date = values['x-amz-date'] ?? '';
  const signedAt = Date.parse(date.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'));
  if (ofRegion !== region || day !== date.slice(0, 8)) return 'scope';
  return signedAt > now - 900_000 && signedAt <= now + 300_000 ? undefined : 'date';
}

const rules: Readonly<Record<string, RegExp>> = {
  action: /^GetCallerIdentity$/,
  version: /^2011-06-15$/,
  'x-amz-algorithm': /^AWS4-HMAC-SHA256$/,
  'x-amz-credential': /^[A-Z0-9]{16,128}\/\d{8}\/[a-z0-9-]+\/sts\/aws4_request$/,
  'x-amz-date': /^\d{8}T\d{6}Z$/,
  'x-amz-expires': /^(?:\d|[1-9]\d|[1-8]\d\d|900)$/,
  'x-amz-security-token': /^[A-Za-z0-9+/]*={0,2}$/,
  'x-amz-signature': /^[0-9a-f]{64}$/,
  'x-amz-signedheaders': /^host;x-k8s-aws-id$/i,
};
