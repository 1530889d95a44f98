import { type PolicyContext } from '@drover/cloud-sandbox/aws';

export interface Request {
  readonly action: string;
  readonly resource: string;
  readonly context: PolicyContext;
}

/** A resource that a pattern of a policy speaks of: each `*` is something. */
const examples: readonly (readonly [part: RegExp, example: string])[] = [
  [/:autoScalingGroup:\*/, ':autoScalingGroup:0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'],
  [/(:log-group:[^*]+):\*$/, '$1:log-stream:some-name'],
  [/:alarm:\*$/, ':alarm:some-name'],
  [/(:nodegroup\/[^*]+)\/\*$/, '$1/some-name/some-id'],
  [/\/\*(?=\/|$)/, '/some-name'],
];

export const resourceOf = (pattern: string): string =>
  pattern === '*'
    ? pattern
    : examples.reduce((resource, [part, example]) => resource.replace(part, example), pattern);

const otherResources = (resource: string): readonly string[] =>
  resource === '*'
    ? [resource]
    : [
        `${resource}x`,
        resource.slice(0, -1),
        resource.replace(/[^:/]+$/, 'other'),
        resource.replace(/[^:/]+$/, (name) => name.toUpperCase()),
        resource.replace('123456789012', '210987654321'),
        resource.replace('eu-west-1', 'us-east-1'),
        resource.replace('arn:aws:', 'arn:aws-cn:'),
      ];

/** AWS sends only numbers in keys of numbers. */
const nearNumbers = [(text: string) => String(Number(text) + 1), (text: string) => String(Number(text) - 1)];

const nearTexts = [
  (text: string) => `${text}x`,
  (text: string) => text.slice(0, -1),
  (text: string) => text.toUpperCase(),
  (text: string) => text.replace('eu-west-1', 'us-east-1'),
];

/** Each key absent, and with a value that is nearly the one. */
const otherContexts = (context: PolicyContext): readonly PolicyContext[] =>
  Object.entries(context).flatMap(([key, value]) => {
    const { [key]: _, ...others } = context;
    const texts = [value ?? ''].flat();
    const changes = texts.every((text) => /^\d+$/.test(text)) ? nearNumbers : nearTexts;
    const changed = changes.map((change) => texts.map(change));
    return [
      others,
      ...changed.map((list) => ({ ...others, [key]: Array.isArray(value) ? list : list.join('') })),
    ];
  });

/** Requests that differ from one in its resource, its action or a single key of its context. */
export const nearRequests = (
  { action, resource, context }: Request,
  otherActions: readonly string[],
): readonly Request[] => [
  ...otherResources(resource).map((other) => ({ action, resource: other, context })),
  ...otherActions.map((other) => ({ action: other, resource, context })),
  ...otherContexts(context).map((other) => ({ action, resource, context: other })),
];
