import { readFields } from './reader.ts';
import { type Field, type Message, messages } from './schema.ts';

const magic = Buffer.from('k8s\0', 'latin1');
const typeMeta: Message = { 1: { name: 'apiVersion', type: 'string' }, 2: { name: 'kind', type: 'string' } };

/**
 * A body of `application/vnd.kubernetes.protobuf` as the JSON that it stands for. Undefined when it is of a kind that is not
 * read here, or is none: the caller answers 415.
 */
export function decodeKubernetesProtobuf(body: Uint8Array): string | undefined {
  if (!Buffer.from(body.subarray(0, 4)).equals(magic)) return undefined;
  try {
    const envelope = new Map([...readFields(body.subarray(4))].map(({ number, value }) => [number, value]));
    const [meta, raw] = [envelope.get(1), envelope.get(2)];
    if (!(meta instanceof Uint8Array)) return undefined;
    const identity = decodeMessage(meta, typeMeta);
    const message = messages[String(identity['kind'])];
    if (message === undefined) return undefined;
    const fields = raw instanceof Uint8Array ? decodeMessage(raw, message) : {};
    return JSON.stringify({ ...identity, ...fields });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function decodeMessage(bytes: Uint8Array, message: Message): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  for (const { number, value } of readFields(bytes)) {
    const field = message[number];
    if (field !== undefined) put(decoded, field, decodeValue(field, value));
  }
  return decoded;
}

/** Empty texts are what Go writes for a field that is not set. */
function put(decoded: Record<string, unknown>, { name, type, repeated }: Field, value: unknown): void {
  if (repeated === true) decoded[name] = [...((decoded[name] ?? []) as unknown[]), value];
  else if (type === 'map' || type === 'bytesMap')
    decoded[name] = { ...(decoded[name] as object | undefined), ...(value as object) };
  else if (value !== '' && value !== undefined) decoded[name] = value;
}

function decodeValue({ type }: Field, value: bigint | Uint8Array): unknown {
  if (typeof value === 'bigint') return type === 'bool' ? value !== 0n : Number(value);
  if (typeof type === 'object') return decodeMessage(value, type);
  switch (type) {
    case 'bytes':
      return Buffer.from(value).toString('base64');
    case 'time':
      return decodeTime(value);
    case 'intOrString':
      return decodeIntOrString(value);
    case 'map':
      return decodeEntry(value, 'string');
    case 'bytesMap':
      return decodeEntry(value, 'bytes');
    case 'string':
    case 'int':
    case 'bool':
      return Buffer.from(value).toString('utf8');
  }
}

function decodeEntry(bytes: Uint8Array, type: 'string' | 'bytes'): object {
  const entry = decodeMessage(bytes, { 1: { name: 'key', type: 'string' }, 2: { name: 'value', type } });
  const key = typeof entry['key'] === 'string' ? entry['key'] : '';
  return { [key]: entry['value'] ?? '' };
}

function decodeTime(bytes: Uint8Array): string | undefined {
  const { seconds } = decodeMessage(bytes, { 1: { name: 'seconds', type: 'int' } });
  if (typeof seconds !== 'number' || seconds === 0) return undefined;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

function decodeIntOrString(bytes: Uint8Array): unknown {
  const parts: Message = {
    1: { name: 'type', type: 'int' },
    2: { name: 'number', type: 'int' },
    3: { name: 'text', type: 'string' },
  };
  const { type, number = 0, text = '' } = decodeMessage(bytes, parts);
  return type === 1 ? text : number;
}
