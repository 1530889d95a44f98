import * as z from 'zod/mini';
import { parseJson } from '../../shared/base/parse-json.ts';
import { capacityChange, capacityPlan, capacityStatus } from '../../shared/http/schemas/answers/capacity.ts';
import { group, groupList, instanceList } from '../../shared/http/schemas/answers/group.ts';
import type { capacityRequest } from '../../shared/http/schemas/capacity-request.ts';
import { describeIssues } from '../../shared/lifecycle/issues.ts';
import type { HttpRequest, SendHttp } from '../../shared/net/http.ts';
import type { CliContext } from '../context.ts';
import { ScaleApiError, toApiError } from './api-error.ts';
import { endpointOf, regionOf } from './endpoint.ts';
import type { ScaleApiFlags } from './flags.ts';
import { type Sign, signerFor, unsigned } from './signer.ts';

export type Group = z.infer<typeof group>;
export type GroupSummary = z.infer<typeof groupList>['groups'][number];
export type Instance = z.infer<typeof instanceList>['instances'][number];
export type CapacityChange = z.infer<typeof capacityChange>;
export type CapacityPlan = z.infer<typeof capacityPlan>;
export type CapacityStatus = z.infer<typeof capacityStatus>;
type CapacityWish = z.infer<ReturnType<typeof capacityRequest>>;

/** The scale API from the side of a caller. Every method rejects with a ScaleApiError. */
export interface ScaleApi {
  listGroups(): Promise<readonly GroupSummary[]>;
  getGroup(name: string): Promise<Group>;
  /** Those of every managed group, or of one; all pages. */
  listInstances(group?: string): Promise<readonly Instance[]>;
  planCapacity(name: string, wish: CapacityWish): Promise<CapacityPlan>;
  setCapacity(name: string, wish: CapacityWish): Promise<CapacityChange>;
  /** `link` as a change was answered with. */
  follow(link: string): Promise<CapacityStatus>;
}

const timeoutMilliseconds = 35_000;

/** The API that the flags mean. */
export function scaleApiOf(flags: ScaleApiFlags, context: CliContext): ScaleApi {
  const endpoint = endpointOf(flags, context);
  const { profile } = flags;
  const sign = flags.sign
    ? signerFor({ region: regionOf(endpoint, flags, context), context, ...(profile && { profile }) })
    : unsigned;
  return createScaleApi({ endpoint, sign, sendHttp: context.sendHttp });
}

function createScaleApi(options: {
  readonly endpoint: URL;
  readonly sign: Sign;
  readonly sendHttp: SendHttp;
}): ScaleApi {
  const base = options.endpoint.href.replace(/\/$/, '');
  const urlOf = (name: string): string => `${base}/groups/${encodeURIComponent(name)}`;
  const get = <Schema extends z.ZodMiniType>(url: string, schema: Schema): Promise<z.infer<Schema>> =>
    exchange(options, { method: 'GET', url, headers: {} }, schema);
  const put = <Schema extends z.ZodMiniType>(url: string, body: object, schema: Schema) =>
    exchange(options, putRequest(url, body), schema);
  return {
    listGroups: async () => (await get(`${base}/groups`, groupList)).groups,
    getGroup: (name) => get(urlOf(name), group),
    listInstances: async (name) => {
      const found: Instance[] = [];
      let cursor: string | undefined;
      do {
        const query = new URLSearchParams({
          ...(name !== undefined && { group: name }),
          ...(cursor && { cursor }),
        });
        const page = await get(`${base}/instances?${query.toString()}`, instanceList);
        found.push(...page.instances);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return found;
    },
    planCapacity: (name, wish) => put(`${urlOf(name)}/capacity?dryRun=true`, wish, capacityPlan),
    setCapacity: (name, wish) => put(`${urlOf(name)}/capacity`, wish, capacityChange),
    follow: (link) => get(linkedUrl(link, options.endpoint), capacityStatus),
  };
}

type Request = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;

const putRequest = (url: string, body: object): Request => ({
  method: 'PUT',
  url,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** A signed request goes to the API and nowhere else, whatever a link says. */
function linkedUrl(link: string, endpoint: URL): string {
  const url = URL.parse(link, endpoint.href);
  if (url?.origin === endpoint.origin) return url.href;
  throw new ScaleApiError('the API answered with a link to another server, which is not followed');
}

async function exchange<Schema extends z.ZodMiniType>(
  { sign, sendHttp }: { readonly sign: Sign; readonly sendHttp: SendHttp },
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const signed = await sign({ ...request, timeoutMilliseconds });
  const response = await sendHttp(signed).catch((cause: unknown) => {
    throw new ScaleApiError('the API does not answer', { isPassing: true, cause });
  });
  if (response.status >= 300) throw toApiError(response);
  const parsed = z.safeParse(schema, parseJson(response.body));
  if (parsed.success) return parsed.data;
  throw new ScaleApiError(
    `the API answered something else than expected: ${describeIssues(parsed.error)}; are both of one version?`,
  );
}
