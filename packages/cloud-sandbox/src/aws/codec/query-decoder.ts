import type { NormalizedSchema } from '@smithy/core/schema';
import { AwsError } from '../service.ts';
import { type FormNode, numberedChildren } from './form.ts';

/** Where the two query protocols differ in how a request spells its members. */
export interface QueryRules {
  readonly memberKey: (name: string, member: NormalizedSchema) => string;
  /** EC2 numbers every list directly (`InstanceId.1`); others put `member` between, unless the list is flattened. */
  readonly flatLists: boolean;
}

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const xmlNameOf = (schema: NormalizedSchema): string | undefined => {
  const name: unknown = schema.getMergedTraits().xmlName;
  return typeof name === 'string' ? name : undefined;
};

export const awsQueryRules: QueryRules = {
  memberKey: (name, member) => xmlNameOf(member) ?? name,
  flatLists: false,
};

/** Smithy, aws.protocols#ec2Query: `ec2QueryName`, else the capitalised `xmlName`, else the capitalised member name. */
export const ec2QueryRules: QueryRules = {
  memberKey: (name, member) => {
    const queryName: unknown = member.getMergedTraits().ec2QueryName;
    return typeof queryName === 'string' ? queryName : capitalised(xmlNameOf(member) ?? name);
  },
  flatLists: true,
};

/**
 * Reads a form into the input that a schema describes. Members that the schema does not know are left out, as AWS leaves
 * them out. Throws MalformedInput where a number or a time is none.
 */
export function decodeQuery(schema: NormalizedSchema, node: FormNode, rules: QueryRules): unknown {
  if (schema.isStructSchema()) return decodeStructure(schema, node, rules);
  if (schema.isListSchema()) return decodeList(schema, node, rules);
  if (schema.isMapSchema()) return decodeMap(schema, node, rules);
  return decodeScalar(schema, node.value ?? '');
}

function decodeStructure(schema: NormalizedSchema, node: FormNode, rules: QueryRules): unknown {
  const result: Record<string, unknown> = {};
  for (const [name, member] of schema.structIterator()) {
    const child = node.children.get(rules.memberKey(name, member));
    if (child !== undefined) result[name] = decodeQuery(member, child, rules);
  }
  return result;
}

function decodeList(schema: NormalizedSchema, node: FormNode, rules: QueryRules): unknown {
  const item = schema.getValueSchema();
  const flat = rules.flatLists || Boolean(schema.getMergedTraits().xmlFlattened);
  const holder = flat ? node : (node.children.get(xmlNameOf(item) ?? 'member') ?? node);
  return numberedChildren(holder).map((child) => decodeQuery(item, child, rules));
}

function decodeMap(schema: NormalizedSchema, node: FormNode, rules: QueryRules): unknown {
  const flat = Boolean(schema.getMergedTraits().xmlFlattened);
  const holder = flat ? node : (node.children.get('entry') ?? node);
  const keyName = xmlNameOf(schema.getKeySchema()) ?? 'key';
  const valueName = xmlNameOf(schema.getValueSchema()) ?? 'value';
  const entries = numberedChildren(holder).flatMap((entry): Array<[string, unknown]> => {
    const key = entry.children.get(keyName)?.value;
    const value = entry.children.get(valueName);
    if (key === undefined || value === undefined) return [];
    return [[key, decodeQuery(schema.getValueSchema(), value, rules)]];
  });
  return Object.fromEntries(entries);
}

function decodeScalar(schema: NormalizedSchema, text: string): unknown {
  if (schema.isNumericSchema()) return numberOf(text);
  if (schema.isBooleanSchema()) return text.toLowerCase() === 'true';
  if (schema.isTimestampSchema()) return timeOf(text);
  if (schema.isBlobSchema()) return new Uint8Array(Buffer.from(text, 'base64'));
  return text;
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new AwsError({ code: 'MalformedInput', message: `${JSON.stringify(text)} is not a number` });
}

function timeOf(text: string): Date {
  const time = /^\d+(\.\d+)?$/.test(text) ? new Date(Number(text) * 1000) : new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new AwsError({ code: 'MalformedInput', message: `${JSON.stringify(text)} is not a timestamp` });
}
