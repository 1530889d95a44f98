import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { nodeName } from '../../../local/world/certificates/requests.ts';
import { type Der, decode, encode, isConstructed } from './der.ts';
import { ids } from './strict-rules.ts';

/** Always the same one, so that the seed of a run repeats it (RFC 8410). */
const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});

const value = (tag: number, hex: string): Der => ({ tag, content: Buffer.from(hex, 'hex') });
const text = (tag: number, words: string): Der => ({ tag, content: Buffer.from(words) });
const sequence = (...content: readonly Der[]): Der => ({ tag: 0x30, content });
const set = (...content: readonly Der[]): Der => ({ tag: 0x31, content });
const id = (name: keyof typeof ids): Der => value(0x06, ids[name]);

const subject = sequence(
  set(sequence(id('organization'), text(0x0c, 'system:nodes'))),
  set(sequence(id('commonName'), text(0x13, `system:node:${nodeName}`))),
);
const key = decode(createPublicKey(privateKey).export({ format: 'der', type: 'spki' })) ?? sequence();

/** What an extension of alternative names has is kept as a tree, so that mutations reach the names. */
const octetsOf = (names: Der): Der => ({ tag: 0x04, content: [names] });

const infoWith = (attributes: readonly Der[]): Der =>
  sequence(value(0x02, '00'), subject, key, { tag: 0xa0, content: attributes });

export const infos: readonly Der[] = [
  infoWith([]),
  infoWith([
    sequence(
      id('extensionRequest'),
      set(
        sequence(
          sequence(id('alternativeNames'), octetsOf(sequence(text(0x82, nodeName), value(0x87, '0a000001')))),
        ),
      ),
    ),
  ]),
];

/** A request with this information, signed by its own key, as a client can make it for anything that it likes. */
export function signedRequest(info: Der): Buffer {
  const bytes = encode(info);
  const signature = Buffer.concat([Buffer.of(0), sign(null, bytes, privateKey)]);
  const signed = [bytes, encode(sequence(id('ed25519'))), encode({ tag: 0x03, content: signature })];
  return encode({ tag: 0x30, content: Buffer.concat(signed) });
}

/** What an attacker might send instead of a name or an address, in hex. */
const temptations: readonly string[] = [
  ...[
    nodeName.toUpperCase(),
    `*.${nodeName}`,
    `${nodeName}.`,
    `${nodeName}\0.example.com`,
    `system:node:${nodeName} `,
    'system:node:ip-10-0-0-2.eu-west-1.compute.internal',
    'system:masters',
    'localhost',
    '10.0.0.1',
    '',
  ].map((words) => Buffer.from(words).toString('hex')),
  '0a000002',
  '0a000007',
  '0a000001ffffffff',
  '00000000000000000000ffff0a000001',
  '20010db8000000000000000000000001',
];

const kinds = [
  'tag',
  'flip',
  'tempt',
  'drop',
  'double',
  'many',
  'swap',
  'graft',
  'wrap',
  'unwrap',
  'long',
  'indefinite',
  'lie',
] as const;

/** One change of the value at a place; `other` is a second place, and a choice. */
interface Mutation {
  readonly kind: (typeof kinds)[number];
  readonly place: number;
  readonly other: number;
  readonly byte: number;
}

export const treeMutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    place: fc.nat(1000),
    other: fc.nat(2000),
    byte: fc.integer({ min: 1, max: 255 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** The value at each place, from the outside to the inside. */
const valuesIn = (der: Der): readonly Der[] => [
  der,
  ...(isConstructed(der) ? der.content.flatMap(valuesIn) : []),
];

export function mutateTree(root: Der, mutation: Mutation): Der {
  const values = valuesIn(root);
  const target = values[mutation.place % values.length] ?? root;
  const donor = values[mutation.other % values.length] ?? root;
  const mostCopies = Math.floor(largestBytes / encode(root).length);
  const [only] = replace(root, target, changed({ target, donor, mostCopies }, mutation));
  return only ?? root;
}

/** By identity: each place has a value of its own. */
function replace(der: Der, target: Der, replacement: readonly Der[]): readonly Der[] {
  if (der === target) return replacement;
  if (!isConstructed(der)) return [der];
  return [{ ...der, content: der.content.flatMap((part) => replace(part, target, replacement)) }];
}

/** More than a request may have. */
const largestBytes = 80_000;

/** Mostly few: the largest requests take a thousand times as long as others. */
const copies = (choice: number): number => (choice < 1980 ? choice % 12 : choice);

interface Place {
  readonly target: Der;
  readonly donor: Der;
  readonly mostCopies: number;
}

function changed({ target, donor, mostCopies }: Place, { kind, other, byte }: Mutation): readonly Der[] {
  const bytes = isConstructed(target) ? undefined : (target.content as Uint8Array);
  switch (kind) {
    case 'tag':
      return [{ ...target, tag: target.tag ^ byte }];
    case 'flip':
      return [
        bytes ? { ...target, content: flipped(bytes, other, byte) } : { ...target, tag: target.tag ^ 1 },
      ];
    case 'tempt':
      return [{ ...target, content: Buffer.from(temptations[other % temptations.length] ?? '', 'hex') }];
    case 'drop':
      return [];
    case 'double':
      return [target, structuredClone(target)];
    case 'many':
      return Array.from({ length: Math.min(copies(other), mostCopies) }, () => structuredClone(target));
    case 'swap':
      return [isConstructed(target) ? { ...target, content: target.content.toReversed() } : donor];
    case 'graft':
      return [target, structuredClone(donor)];
    case 'wrap':
      return [{ tag: byte, content: [target] }];
    case 'unwrap':
      return isConstructed(target) ? target.content : [target];
    case 'long':
    case 'indefinite':
      return [{ ...target, length: kind }];
    case 'lie':
      return [{ ...target, length: (byte % 9) - 4 }];
  }
}

const flipped = (bytes: Uint8Array, place: number, byte: number): Buffer =>
  Buffer.from(bytes.map((one, index) => (index === place % bytes.length ? one ^ byte : one)));
