import type { NormalizedSchema } from '@smithy/core/schema';
import type { AwsHttpRequest } from './http.ts';
import { awsQueryRules, decodeQuery } from './query-decoder.ts';
import type { Labels } from './rest-route.ts';

/** What a REST request says outside its body. */
export interface RestSource {
  readonly request: AwsHttpRequest;
  readonly labels: Labels;
}

/** A member in the path, the query or a header; `unbound` if its traits make it part of the body. */
type BoundMember = { readonly kind: 'bound'; readonly value: unknown } | { readonly kind: 'unbound' };

/** Smithy, "HTTP binding traits". */
export function readBoundMember(name: string, schema: NormalizedSchema, source: RestSource): BoundMember {
  const traits = schema.getMergedTraits();
  if (traits.httpLabel) return bound(fromText(schema, source.labels[name] ?? ''));
  if (typeof traits.httpQuery === 'string') return bound(fromQuery(schema, traits.httpQuery, source.request));
  if (typeof traits.httpHeader === 'string') {
    const header = source.request.headers[traits.httpHeader.toLowerCase()];
    return bound(header === undefined ? undefined : fromText(schema, header));
  }
  return { kind: 'unbound' };
}

const bound = (value: unknown): BoundMember => ({ kind: 'bound', value });

const fromText = (schema: NormalizedSchema, value: string): unknown =>
  decodeQuery(schema, { value, children: new Map() }, awsQueryRules);

function fromQuery(schema: NormalizedSchema, name: string, request: AwsHttpRequest): unknown {
  const values = request.query.filter(([key]) => key === name).map(([, value]) => value);
  const [first] = values;
  if (first === undefined) return undefined;
  if (!schema.isListSchema()) return fromText(schema, first);
  return values.map((value) => fromText(schema.getValueSchema(), value));
}
