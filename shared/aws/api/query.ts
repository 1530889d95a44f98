import { encodeRfc3986 } from './sign.ts';

/** Lists are `Name.member.1` in the Query protocol, `Name.1` in EC2's. */
export type QueryDialect = 'query' | 'ec2';

type Pair = readonly [name: string, value: string];

/** The form that carries a call in AWS's Query protocols; members that are undefined are left out. */
export function encodeQuery(input: object, dialect: QueryDialect): string {
  return pairsOf('', input, dialect)
    .map((pair) => pair.map(encodeRfc3986).join('='))
    .join('&');
}

function pairsOf(name: string, value: unknown, dialect: QueryDialect): readonly Pair[] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'number' || typeof value === 'boolean') return [[name, String(value)]];
  if (Array.isArray(value)) return listPairs(name, value, dialect);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]) =>
    pairsOf(name ? `${name}.${member}` : member, inner, dialect),
  );
}

/** An empty list is said in the Query protocol; EC2 has no word for one. */
function listPairs(name: string, items: readonly unknown[], dialect: QueryDialect): readonly Pair[] {
  if (items.length === 0) return dialect === 'query' ? [[name, '']] : [];
  const infix = dialect === 'query' ? '.member' : '';
  return items.flatMap((item, index) => pairsOf(`${name}${infix}.${index + 1}`, item, dialect));
}
