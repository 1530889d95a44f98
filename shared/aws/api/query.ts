import { encodeRfc3986 } from './sign.ts';

type Scalar = string | number | boolean;

/** Lists are `Name.member.1` in the Query protocol, `Name.1` in EC2's. */
export type QueryDialect = 'query' | 'ec2';

/** The form that carries a call in AWS's Query protocols; members that are undefined are left out. */
export function encodeQuery(input: object, dialect: QueryDialect): string {
  const pairs: string[] = [];
  const infix = dialect === 'query' ? '.member' : '';
  const write = (name: string, value: unknown): void => {
    if (value === undefined || value === null) return;
    if (Array.isArray(value)) writeList(name, value);
    else if (typeof value === 'object')
      for (const [member, inner] of Object.entries(value)) write(name ? `${name}.${member}` : member, inner);
    else pairs.push(`${encodeRfc3986(name)}=${encodeRfc3986(String(value as Scalar))}`);
  };
  const writeList = (name: string, items: readonly unknown[]): void => {
    if (items.length === 0 && dialect === 'query') pairs.push(`${encodeRfc3986(name)}=`);
    for (const [index, item] of items.entries()) write(`${name}${infix}.${index + 1}`, item);
  };
  write('', input);
  return pairs.join('&');
}
