import { NormalizedSchema } from '@smithy/core/schema';

/** What a client package of the AWS SDK exports; its operations' schemas are the members `<Operation>$`. */
export type ClientModule = Readonly<Record<string, unknown>>;

/** One operation, with the SDK's own schemas of what goes in and out. */
export interface Operation {
  readonly name: string;
  /** `[method, path template, status code]` where the protocol is REST. */
  readonly http: readonly [string, string, number] | undefined;
  readonly input: NormalizedSchema;
  readonly output: NormalizedSchema;
}

/** What the schema of an error says about its wire form. */
export interface ErrorShape {
  readonly name: string;
  readonly namespace: string;
  /** `[code, HTTP status]` in query protocols, where it differs from the name. */
  readonly queryError: readonly [string, number] | undefined;
  readonly httpStatus: number | undefined;
  readonly memberNames: readonly string[];
}

type SchemaReference = Parameters<typeof NormalizedSchema.of>[0];
type Traits = Readonly<Record<string, unknown>>;

/** As the SDK's clients write their schemas down: `[kind, namespace, name, traits, ...]`. */
type OperationSchema = readonly [9, string, string, Traits | number, SchemaReference, SchemaReference];
type ErrorSchema = readonly [-3, string, string, Traits | number, readonly string[]];

const isOperation = (schema: unknown): schema is OperationSchema => Array.isArray(schema) && schema[0] === 9;
const isError = (schema: unknown): schema is ErrorSchema => Array.isArray(schema) && schema[0] === -3;

const traitsOf = ([, , , traits]: OperationSchema | ErrorSchema): Traits =>
  typeof traits === 'number' ? {} : traits;

/** The operation of that name; undefined where AWS has none. */
export function findOperation(client: ClientModule, name: string): Operation | undefined {
  const schema = client[`${name}$`];
  if (!isOperation(schema)) return undefined;
  return {
    name,
    http: traitsOf(schema)['http'] as Operation['http'],
    input: NormalizedSchema.of(schema[4]),
    output: NormalizedSchema.of(schema[5]),
  };
}

/** Every operation that has an HTTP method and a path of its own. */
export function restOperations(client: ClientModule): Operation[] {
  const names = Object.keys(client).filter((key) => key.endsWith('$'));
  return names.flatMap((key) => {
    const operation = findOperation(client, key.slice(0, -1));
    return operation?.http === undefined ? [] : [operation];
  });
}

/** The modelled error of that name; undefined for errors that are not in the model (validation, permissions). */
export function findError(client: ClientModule, name: string): ErrorShape | undefined {
  const schema = client[`${name}$`];
  if (!isError(schema)) return undefined;
  const traits = traitsOf(schema);
  return {
    name,
    namespace: schema[1],
    queryError: traits['awsQueryError'] as ErrorShape['queryError'],
    httpStatus: traits['httpError'] as number | undefined,
    memberNames: schema[4],
  };
}
