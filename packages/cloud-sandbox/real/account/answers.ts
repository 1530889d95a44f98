/**
 * What AWS answers, without what belongs to an account: the fields and their types are kept, and the values of the listed fields only.
 * Everything else, such as names, ids, addresses, bodies and times, is replaced by its type.
 */

/** A scalar that was replaced by its type, or the value of a listed field. */
type Leaf = string;
export type Shape = { readonly [field: string]: Shape } | readonly Shape[] | Leaf;

export interface Answer {
  /** The contract, and the sentence of its case; undefined beside cases. */
  readonly area?: string | undefined;
  readonly case?: string | undefined;
  readonly service: string;
  readonly operation: string;
  /** The name of the error, if it is one. */
  readonly error?: string;
  readonly shape: Shape;
}

const keptFields: ReadonlySet<string> = new Set(
  [
    'DefaultCooldown DefaultResult DesiredCapacity GlobalTimeout HealthCheckType HealthStatus HeartbeatTimeout LifecycleState',
    'LifecycleTransition MaxHealthyPercentage MaxSize MinHealthyPercentage MinSize NewInstancesProtectedFromScaleIn PoolState ProcessName',
    'PropagateAtLaunch ProtectedFromScaleIn ResourceType StatusCode TerminationPolicies',
    'ApproximateReceiveCount ContentBasedDeduplication DeduplicationScope DelaySeconds FifoQueue FifoThroughputLimit MaximumMessageSize',
    'MessageRetentionPeriod ReceiveMessageWaitTimeSeconds SqsManagedSseEnabled VisibilityTimeout',
    'DataType Tier Type',
    // Events.
    'Action Destination Origin detail-type source state version',
  ].flatMap((names) => names.split(' ')),
);

/** Maps whose keys are chosen by callers. */
const callersMaps: ReadonlySet<string> = new Set(['tags', 'Tags', 'MessageAttributes']);

/** The shape of a value of a field. An array has each shape of its elements once. */
export function shapeOf(value: unknown, field = ''): Shape {
  if (Array.isArray(value)) {
    const shapes = value.map((element) => shapeOf(element, field));
    return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
  }
  if (value instanceof Date) return 'date';
  if (ArrayBuffer.isView(value)) return 'bytes';
  if (typeof value === 'object' && value !== null) {
    if (callersMaps.has(field)) return 'map';
    const fields = Object.entries(value).filter(([name, one]) => name !== '$metadata' && one !== undefined);
    return Object.fromEntries(fields.map(([name, one]) => [name, shapeOf(one, name)]));
  }
  return keptFields.has(field) && isPlain(String(value)) ? `${typeof value} ${String(value)}` : typeof value;
}

/** A word of AWS's API or a number: no ARN, no id of an account, no text. */
const isPlain = (text: string): boolean =>
  /^[\w:.-]{0,64}$/.test(text) && !text.startsWith('arn:') && !/\d{12}/.test(text);

/** What one operation has answered: each field with its types, or each error. */
type Seen = ReadonlyMap<string, ReadonlySet<string>>;

/** Fields by their way from the root: `AutoScalingGroups[].Instances[].LifecycleState`. Kept values count by their type only. */
function fieldsOf(shape: Shape, path = ''): readonly (readonly [path: string, type: string])[] {
  if (typeof shape === 'string') return [[path, shape.split(' ')[0] ?? shape]];
  if (isList(shape)) return shape.flatMap((element) => fieldsOf(element, `${path}[]`));
  return Object.entries(shape).flatMap(([name, one]) =>
    fieldsOf(one, path === '' ? name : `${path}.${name}`),
  );
}

const isList = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape);

function seenIn(answers: readonly Answer[]): Seen {
  const pairs = answers.flatMap(({ error, shape }) =>
    error === undefined ? fieldsOf(shape) : [[`error ${error}`, 'error'] as const],
  );
  return new Map(
    [...Map.groupBy(pairs, ([path]) => path)].map(([path, ofPath]) => [
      path,
      new Set(ofPath.map(([, type]) => type)),
    ]),
  );
}

/** A difference between an account and the sandbox, and what to do about it. */
export interface Finding {
  readonly operation: string;
  readonly difference: string;
  readonly proposal: string;
}

const keyOf = ({ service, operation }: Answer): string => `${service}:${operation}`;

/** How the answers of an account differ from those of the sandbox to the same cases. */
export function compareAnswers(account: readonly Answer[], sandbox: readonly Answer[]): readonly Finding[] {
  const [ours, theirs] = [sandbox, account].map((answers) => Map.groupBy(answers, keyOf));
  return [...(theirs ?? [])].flatMap(([operation, answers]) =>
    compareSeen(operation, seenIn(answers), seenIn(ours?.get(operation) ?? [])),
  );
}

function compareSeen(operation: string, account: Seen, sandbox: Seen): readonly Finding[] {
  const service = `packages/cloud-sandbox/src/aws, ${operation}`;
  const paths = [...new Set([...account.keys(), ...sandbox.keys()])].toSorted();
  return paths.flatMap((path): Finding[] => {
    const [theirs, ours] = [account.get(path), sandbox.get(path)];
    if (ours === undefined)
      return [
        { operation, difference: `only the account answers ${path}`, proposal: `add it in ${service}` },
      ];
    if (theirs === undefined)
      return [
        {
          operation,
          difference: `only the sandbox answers ${path}`,
          proposal: `look for it in the API reference; if it is optional, leave it, else remove it in ${service}`,
        },
      ];
    const types = [...theirs].filter((type) => !ours.has(type));
    if (types.length === 0) return [];
    return [
      {
        operation,
        difference: `${path} is ${types.join(' or ')} in the account, and ${[...ours].join(' or ')} in the sandbox`,
        proposal: `change its type in ${service}`,
      },
    ];
  });
}
