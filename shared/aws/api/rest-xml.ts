import { encodeRfc3986 } from './sign.ts';

/** How one operation travels in the REST-XML protocol: which members of its input stand in the path and in the query. */
export interface RestBinding {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `/2013-04-01/hostedzone/{HostedZoneId}/rrset` */
  readonly path: string;
  /** Name in the query -> member of the input. */
  readonly query?: Readonly<Record<string, string>>;
  /** The element around the other members, which are the body; absent: there is no body. */
  readonly root?: string;
}

export interface RestCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface XmlDialect {
  readonly namespace: string;
  /** What the items of a list are called, by the name of the list: `Changes` -> `Change`. */
  readonly itemNames: Readonly<Record<string, string>>;
}

type Members = Readonly<Record<string, unknown>>;

/** The request that carries a call; members that are undefined are left out. */
export function encodeRestCall(binding: RestBinding, input: object, dialect: XmlDialect): RestCall {
  const members: Members = { ...input };
  const { method, root, query: queryNames = {} } = binding;
  const labels: string[] = [];
  const path = binding.path.replace(/\{(\w+)\}/g, (_, label: string) => {
    labels.push(label);
    return encodeRfc3986(textOf(members[label]));
  });
  const query = Object.entries(queryNames).flatMap(([name, member]) =>
    members[member] === undefined ? [] : [[name, textOf(members[member])] as const],
  );
  const elsewhere = new Set([...labels, ...Object.values(queryNames)]);
  const rest = Object.entries(members).filter(([name]) => !elsewhere.has(name));
  const body = root === undefined ? '' : documentOf(root, Object.fromEntries(rest), dialect);
  return { method, path, query: Object.fromEntries(query), body };
}

const documentOf = (root: string, members: Members, dialect: XmlDialect): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="${dialect.namespace}">${elementsOf(members, dialect)}</${root}>`;

const elementsOf = (members: Members, dialect: XmlDialect): string =>
  Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<${name}>${contentOf(name, value, dialect)}</${name}>`)
    .join('');

function contentOf(name: string, value: unknown, dialect: XmlDialect): string {
  if (Array.isArray(value)) {
    const item = dialect.itemNames[name] ?? 'member';
    return value.map((one: unknown) => `<${item}>${contentOf(item, one, dialect)}</${item}>`).join('');
  }
  if (typeof value === 'object' && value !== null) return elementsOf(value as Members, dialect);
  return escapeXml(textOf(value));
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** What would not come back as it went, too: readers make one line feed of every other line end. */
const escapeXml = (text: string): string =>
  text.replace(/[&<>"'\r\n\u0085\u2028]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`);
