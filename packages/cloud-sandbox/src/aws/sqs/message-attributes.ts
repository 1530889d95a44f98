import { createHash } from 'node:crypto';
import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import { invalidParameter } from './errors.ts';

export type MessageAttributes = Readonly<Record<string, MessageAttributeValue>>;

export const md5 = (data: string | Uint8Array): string => createHash('md5').update(data).digest('hex');

const lengthPrefixed = (data: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, data]);
};

const stringTransport = 1;
const binaryTransport = 2;

/** MD5OfMessageAttributes, as the SQS developer guide computes it; undefined when there are no attributes. */
export function attributesMd5(attributes: MessageAttributes | undefined): string | undefined {
  const names = Object.keys(attributes ?? {}).sort();
  if (attributes === undefined || names.length === 0) return undefined;
  const parts = names.flatMap((name) => {
    const attribute = attributes[name];
    const binary = attribute?.BinaryValue;
    const value = binary ?? Buffer.from(attribute?.StringValue ?? '');
    return [
      lengthPrefixed(Buffer.from(name)),
      lengthPrefixed(Buffer.from(attribute?.DataType ?? '')),
      Buffer.from([binary === undefined ? stringTransport : binaryTransport]),
      lengthPrefixed(value),
    ];
  });
  return md5(Buffer.concat(parts));
}

/** Bytes that the attributes add to a message: names, types and values count (SQS developer guide, message quotas). */
export const attributesBytes = (attributes: MessageAttributes | undefined): number =>
  Object.entries(attributes ?? {}).reduce((sum, [name, { DataType, StringValue, BinaryValue }]) => {
    const value = BinaryValue?.length ?? Buffer.byteLength(StringValue ?? '');
    return sum + Buffer.byteLength(name) + Buffer.byteLength(DataType ?? '') + value;
  }, 0);

const maximumAttributes = 10;
const attributeName = /^(?!aws\.|amazon\.|\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/i;

/** Throws InvalidParameterValue for attributes that SQS would not take (SQS developer guide, message metadata). */
export function checkMessageAttributes(attributes: MessageAttributes | undefined): void {
  const entries = Object.entries(attributes ?? {});
  if (entries.length > maximumAttributes) {
    throw invalidParameter(
      `Number of message attributes [${entries.length}] exceeds the allowed maximum [10].`,
    );
  }
  for (const [name, attribute] of entries) {
    if (!attributeName.test(name)) throw invalidParameter(`The message attribute name '${name}' is invalid.`);
    checkAttribute(name, attribute);
  }
}

function checkAttribute(name: string, { DataType, StringValue, BinaryValue }: MessageAttributeValue): void {
  if (!/^(String|Number|Binary)(\..+)?$/.test(DataType ?? '')) {
    throw invalidParameter(
      `The type of message (user) attribute '${name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String.`,
    );
  }
  const value = DataType?.startsWith('Binary') === true ? BinaryValue : StringValue;
  if (value !== undefined && value.length > 0) return;
  throw invalidParameter(
    `The message (user) attribute '${name}' must contain a non-empty value of type '${DataType}'.`,
  );
}

/** The attributes that a receive asked for: `All`, `.*`, a name, or a prefix `bar.*`. */
export function selectAttributes(
  attributes: MessageAttributes,
  wanted: readonly string[],
): MessageAttributes | undefined {
  const matches = (name: string): boolean =>
    wanted.some(
      (pattern) =>
        pattern === 'All' ||
        pattern === '.*' ||
        pattern === name ||
        (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))),
    );
  const selected = Object.entries(attributes).filter(([name]) => matches(name));
  return selected.length === 0 ? undefined : Object.fromEntries(selected);
}
