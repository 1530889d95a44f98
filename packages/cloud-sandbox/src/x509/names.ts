import {
  type DerValue,
  encode,
  objectIdentifier,
  readObjectIdentifier,
  sequence,
  tag,
  valuesOf,
} from './der.ts';

/** The parts of a distinguished name that Kubernetes reads: the user and the groups. */
export interface Subject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

const ids = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const;

export function encodeSubject({ commonName, organizations }: Subject): Buffer {
  const part = (id: string, text: string): Buffer =>
    encode(tag.set, sequence(objectIdentifier(id), encode(tag.utf8String, Buffer.from(text))));
  return sequence(
    ...organizations.map((name) => part(ids.organization, name)),
    part(ids.commonName, commonName),
  );
}

export function readSubject({ content }: DerValue): Subject {
  const parts = valuesOf(content).flatMap((set) => valuesOf(set.content));
  const pairs = parts.map((part) => {
    const [id, text] = valuesOf(part.content);
    if (id === undefined || text === undefined)
      throw new SyntaxError('asn1: a name has a part without a value');
    return [readObjectIdentifier(id), text.content.toString('utf8')] as const;
  });
  const all = (wanted: string): readonly string[] =>
    pairs.flatMap(([id, text]) => (id === wanted ? [text] : []));
  return { commonName: all(ids.commonName).at(-1) ?? '', organizations: all(ids.organization) };
}

/** The subjectAltName extension (RFC 5280 4.2.1.6), as far as Kubernetes reads it. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

const nameTags = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;

export function encodeAlternativeNames({
  dnsNames,
  ipAddresses,
}: Pick<AlternativeNames, 'dnsNames' | 'ipAddresses'>): Buffer {
  return sequence(
    ...dnsNames.map((name) => encode(nameTags.dns, Buffer.from(name))),
    ...ipAddresses.map((address) => encode(nameTags.ip, addressBytes(address))),
  );
}

export function readAlternativeNames({ content }: DerValue): AlternativeNames {
  const values = valuesOf(content);
  const texts = (type: number): readonly string[] =>
    values.filter((value) => value.type === type).map((value) => value.content.toString('latin1'));
  const addresses = values.filter(({ type }) => type === nameTags.ip);
  return {
    dnsNames: texts(nameTags.dns),
    emailAddresses: texts(nameTags.email),
    uris: texts(nameTags.uri),
    ipAddresses: addresses.map((value) => addressText(value.content)),
  };
}

function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (text: string): readonly string[] => text.split(':').filter((group) => group !== '');
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return Buffer.from([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) throw new SyntaxError('x509: cannot parse IP address');
  return (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
}
