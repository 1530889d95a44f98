import { JsonCodec } from '@aws-sdk/core/protocols';
import type { NormalizedSchema } from '@smithy/core/schema';
import { AwsError } from '../service.ts';
import { type AwsHttpRequest, bodyText } from './http.ts';

const epochSeconds = 7;

/** The SDK's JSON codec; `jsonName` is heeded by REST services only. */
export const createJsonCodec = ({ jsonName }: { readonly jsonName: boolean }) => {
  const codec = new JsonCodec({ timestampFormat: { useTrait: true, default: epochSeconds }, jsonName });
  const deserializer = codec.createDeserializer();
  const serializer = codec.createSerializer();
  return {
    /** Throws SerializationException where the JSON cannot be what the schema says. */
    decode: (schema: NormalizedSchema, json: unknown): unknown => {
      try {
        return deserializer.readObject(schema, json as Parameters<typeof deserializer.readObject>[1]);
      } catch (error) {
        throw serializationException(error instanceof Error ? error.message : 'unreadable');
      }
    },
    encode: (schema: NormalizedSchema, value: unknown): string => {
      serializer.write(schema, value);
      return serializer.flush();
    },
  };
};

const serializationException = (why: string): AwsError =>
  new AwsError({ code: 'SerializationException', message: `The request body cannot be read: ${why}` });

/** The body as a JSON object; an empty body is an empty object. Throws SerializationException otherwise. */
export function jsonBody(request: AwsHttpRequest): Record<string, unknown> {
  if (request.body.length === 0) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(bodyText(request));
  } catch (error) {
    throw serializationException(error instanceof Error ? error.message : 'it is not JSON');
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Record<string, unknown>;
  }
  throw serializationException('it is not a JSON object');
}
