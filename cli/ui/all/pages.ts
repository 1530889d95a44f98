import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientSettings } from '../../../shared/aws/client-settings.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import type { AnswerOptions, NoPage, ServedPage } from '../../../ui/server/answer.ts';
import { pageFiles } from '../../../ui/server/page-files.ts';
import type { CliContext } from '../../context.ts';
import { contextFinder, type FoundContext, ofAnyCluster, unreachable } from '../../deployments/contexts.ts';
import { type Deployment, readDeployments } from '../../deployments/deployments.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { environmentOf, hostOf } from '../../host.ts';
import { directSource } from '../direct/source.ts';
import { createPage } from '../page.ts';
import { createTurn } from '../report/turn.ts';
import type { UiFlags } from '../serve.ts';
import { pageNameOf } from './clusters-state.ts';
import { clustersReader } from './read.ts';

/** A reading is a dozen calls for each cluster, of an account that has other users of its API. */
const restMilliseconds = 60_000;

/**
 * The list of all deployments of the account and region, and a page for each, below its name.
 *
 * @throws CliError `usage` for flags that mean one cluster, and ConfigError without a region.
 */
export function allPages(
  flags: UiFlags,
  onFault: (error: unknown) => void,
  given: CliContext,
): Omit<AnswerOptions, 'token'> {
  refuseFlagsOfOne(flags);
  const context = ofAnyCluster(given);
  readConfig(hostOf(context, environmentOf(flags, context)).environment, ['region']);
  const list = createPage(
    { read: clustersReader(flags, context), files: pageFiles('clusters'), onFault, restMilliseconds },
    context,
  );
  return { ...list, pageOf: clusterPages(flags, onFault, context) };
}

/** A page with the context that it reads Nodes with. */
interface MadePage {
  readonly found: FoundContext;
  readonly page: ServedPage;
}

type OfCluster = Deployment & { readonly clusterName: string };

/** What a browser asks for when it opens a page, reloads it or connects again. */
const opening: ReadonlySet<string> = new Set(['/', '/index.html', '/api/events']);

/**
 * The page of a cluster is made when it is first asked for, if a deployment of that stage serves that cluster. Whether it still does, and with
 * which context, is checked whenever the page is opened: both may change while `drover ui` runs.
 */
function clusterPages(
  flags: UiFlags,
  onFault: (error: unknown) => void,
  context: CliContext,
): NonNullable<AnswerOptions['pageOf']> {
  const pages = new Map<string, MadePage>();
  const make = pageMaker(flags, onFault, context);
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  const events = new EventBridgeClient(clientSettings(connection, 'EventBridge'));
  const deploymentOf = async (name: string): Promise<OfCluster | undefined> => {
    const deployment = (await readDeployments(events)).find((one) => pageNameOf(one) === name);
    return deployment?.clusterName === undefined
      ? undefined
      : { ...deployment, clusterName: deployment.clusterName };
  };
  const check = async (name: string): Promise<ServedPage | NoPage> => {
    const deployment = await deploymentOf(name);
    if (deployment === undefined) {
      pages.delete(name);
      return { refusal: `No deployment is ${name} (CLUSTER@STAGE) now: open the list of all clusters.` };
    }
    const found = await contextFinder(flags, context)(deployment);
    // Another request may have made it meanwhile.
    const made = pages.get(name);
    if (made && isSame(made.found, found)) return made.page;
    const page = make(deployment, found);
    pages.set(name, { found, page });
    return page;
  };
  return async (name, path) => {
    const made = pages.get(name);
    if (made === undefined) return await check(name);
    if (!opening.has(path)) return made.page;
    try {
      return await check(name);
    } catch (error) {
      // The page shows what it has read before while AWS does not answer.
      onFault(error);
      return made.page;
    }
  };
}

/** Makes pages of clusters: one with the reason instead of Nodes, if the cluster has no context. */
function pageMaker(flags: UiFlags, onFault: (error: unknown) => void, context: CliContext) {
  const files = pageFiles();
  const turn = createTurn();
  return ({ stage, clusterName }: OfCluster, found: FoundContext): ServedPage => {
    const own = { ...flags, cluster: clusterName, stage };
    const isFound = 'name' in found;
    const { read, reports } = isFound
      ? directSource({ ...own, context: found.name }, turn, context)
      : directSource(own, turn, context, unreachable(found.why).connections);
    const { region, kubeconfig } = flags;
    const place = { region, kubeconfig, stage, clusterName, context: isFound ? found.name : null };
    const readPage = async () => ({ ...(await read()), stage, place, allClusters: '../' });
    return createPage({ read: readPage, reports, files, onFault }, context);
  };
}

/** Whether both are the same context, or are missing for the same reason. */
const isSame = (one: FoundContext, other: FoundContext): boolean =>
  'name' in one ? 'name' in other && one.name === other.name : 'why' in other && one.why === other.why;

function refuseFlagsOfOne({ cluster, stage, context, api, endpoint, profile, sign }: UiFlags): void {
  const unsigned = sign ? undefined : true;
  const given = Object.entries({ cluster, stage, context, api, endpoint, profile, 'no-sign': unsigned }).find(
    ([, value]) => value !== undefined,
  );
  if (given === undefined) return;
  throw new CliError(`--${given[0]} means one cluster: leave out either it or --all`, exitCodes.usage);
}
