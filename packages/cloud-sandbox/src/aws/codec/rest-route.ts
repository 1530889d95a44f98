import { type ClientModule, type Operation, restOperations } from './operation.ts';

/** What a path template captured, decoded. */
export type Labels = Readonly<Record<string, string>>;

const routesOf = new WeakMap<ClientModule, readonly Operation[]>();

function routes(client: ClientModule): readonly Operation[] {
  const known = routesOf.get(client) ?? restOperations(client);
  routesOf.set(client, known);
  return known;
}

/** The labels of a path that fits the template `/schedules/{Name}`; undefined if it does not fit. */
export function matchPath(template: string, path: string): Labels | undefined {
  const expected = template.split('/').filter((part) => part !== '');
  const actual = path.split('/').filter((part) => part !== '');
  if (expected.length !== actual.length) return undefined;
  const labels: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = decodeSegment(actual[index] ?? '');
    const label = /^\{(.+?)\+?\}$/.exec(part)?.[1];
    if (label === undefined && part !== segment) return undefined;
    if (label !== undefined) labels[label] = segment;
  }
  return labels;
}

/** A segment that is not well encoded stands for itself: it fits no operation or names nothing. */
function decodeSegment(segment: string): string {
  return /%(?![\dA-Fa-f]{2})/.test(segment)
    ? segment
    : Buffer.from(unescapeBytes(segment), 'latin1').toString('utf8');
}

const unescapeBytes = (segment: string): string =>
  segment.replace(/%([\dA-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );

/** The REST operation whose method and path a request has. */
export function routeOf(client: ClientModule, method: string, path: string): Operation | undefined {
  return routes(client).find(
    ({ http }) => http !== undefined && http[0] === method && matchPath(http[1], path) !== undefined,
  );
}
