import * as fc from 'fast-check';

/** A change of a text; one that finds nothing to change leaves it as it is. */
type Mutation = (text: string) => string;

const replaced =
  (from: string | RegExp, to: string): Mutation =>
  (text) =>
    text.replace(from, to);

/** What clients, proxies and attackers do to a URL, and what decoders read differently. */
const knownMutations: readonly Mutation[] = [
  replaced('https://', 'https://me@'),
  replaced('https://', 'https://me:secret@'),
  replaced(/$/, '#part'),
  replaced('https:', 'HTTPS:'),
  replaced('https:', 'http:'),
  replaced('.com/', '.com:443/'),
  replaced('sts.', 'STS.'),
  replaced('.com/', '.com./'),
  replaced('sts.', 'evil.sts.'),
  replaced('.com/', '.com.evil.example/'),
  replaced(/eu-west-1(?=\.)/, 'eu-west-9'),
  replaced('.com/?', '.com?'),
  replaced('.com/?', '.com//?'),
  replaced('.com/?', '.com/%2f?'),
  replaced('.com/?', '.com/a/../?'),
  replaced('.com/?', '.com\\?'),
  replaced('https', ' https'),
  replaced('/?', '/?\n'),
  replaced('&X-Amz-Date', ';X-Amz-Date'),
  replaced('&X-Amz-Date', '&&X-Amz-Date'),
  replaced('/?', '/??'),
  replaced('/?', '/?&'),
  replaced(/$/, '&'),
  replaced(/$/, '&Action=GetCallerIdentity'),
  replaced(/$/, '&action=GetCallerIdentity'),
  replaced(/$/, '&Marker=1'),
  replaced('X-Amz-Date', 'X-Amz-%44ate'),
  replaced('X-Amz-Date', 'x-amz-date'),
  replaced('X-Amz-Signature', 'X-Amz-\u00c5\u00bfignature'),
  replaced('X-Amz-Signature', 'X-Amz-%C5%BFignature'),
  replaced('Action=', 'action='),
  replaced('Expires=60', 'Expires=0060'),
  replaced('Expires=60', 'Expires=%2B60'),
  replaced('Expires=60', 'Expires=60%00'),
  replaced('Expires=60', 'Expires=60%20'),
  replaced('Expires=60', 'Expires=6%0'),
  replaced('Expires=60', 'Expires=61'),
  replaced('GetCallerIdentity', 'GetSessionToken'),
  replaced('GetCallerIdentity', 'getcalleridentity'),
  replaced(/(Date=\d+T\d+)Z/, '$1.5Z'),
  replaced(/Date=\d{4}/, 'Date=2099'),
  replaced('%2F', '/'),
  replaced('%2F', '%2f'),
  replaced('%3B', ';'),
  replaced(/X-Amz-Algorithm=[^&]*&/, ''),
  replaced(/X-Amz-Credential=[^&]*&/, ''),
  replaced(/&X-Amz-Signature=[^&]*/, ''),
  replaced(/&Version=[^&]*/, ''),
  (url) => url.replace(/Signature=.*/, (text) => `S${text.slice(1, 10)}${text.slice(10).toUpperCase()}`),
  // The order of parameters is not signed.
  (url) => url.replace(/\?(.*)/, (_, query: string) => `?${query.split('&').toReversed().join('&')}`),
];

const characters = fc.constantFrom(...'aZ09/?#&=%+.:;@-_~ \\\n\t\0"\'{}\u00e9\u00ff'.split(''));

/** One character inserted, removed or replaced. */
const edit: fc.Arbitrary<Mutation> = fc
  .record({
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    character: characters,
    kind: fc.constantFrom('insert', 'delete', 'replace'),
  })
  .map(({ at, character, kind }) => (text) => {
    const index = Math.floor(at * text.length);
    const put = kind === 'delete' ? '' : character;
    return text.slice(0, index) + put + text.slice(kind === 'insert' ? index : index + 1);
  });

const chained =
  (mutations: readonly Mutation[]): Mutation =>
  (text) =>
    mutations.reduce((changed, mutate) => mutate(changed), text);

/** Changes of the URL in a token; often none. */
export const urlMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(chained([])) },
  { weight: 4, arbitrary: fc.constantFrom(...knownMutations) },
  { weight: 2, arbitrary: edit },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(fc.constantFrom(...knownMutations), edit), { maxLength: 4 }).map(chained),
  },
);

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The last letter with another value in the bits that mean nothing, if it has such bits. */
function looseBits(text: string): string {
  const spare = { 2: 4, 3: 2 }[text.replace(/^k8s-aws-v1\./, '').length % 4] ?? 0;
  const last = alphabet.indexOf(text.at(-1) ?? '');
  return spare === 0 || last < 0 ? text : text.slice(0, -1) + alphabet[last ^ 1];
}

/** Changes of the whole token, after its encoding; mostly none. */
export const tokenMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(chained([])) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Mutation>(
      (token) => `${token}\n`,
      (token) => `${token}\r\n`,
      (token) => `${token.slice(0, 200)}\n${token.slice(200)}`,
      (token) => `${token}=`,
      (token) => `${token}==`,
      (token) => ` ${token}`,
      (token) => token.replaceAll('-', '+').replaceAll('_', '/'),
      (token) => token.replace('v1', 'v2'),
      (token) => token.toUpperCase(),
      (token) => token.slice(0, -1),
      (token) => token.padEnd(4097, 'A'),
      looseBits,
    ),
  },
  { weight: 1, arbitrary: edit },
);

export const tokenOfUrl = (url: string): string =>
  `k8s-aws-v1.${Buffer.from(url, 'latin1').toString('base64url')}`;
